#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts/test: runs CTest, counts, and prints the table at the end.

rows=()      # configuration|tests|passed|failed|skipped|seconds of building|seconds of testing
troubles=()  # names of failed tests, one for each
skipped=()
repeat=1     # runs of each test
beside=0     # busy loops beside the tests
default_timeout=300  # seconds, of a test without the property TIMEOUT: no test waits for ever

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

announce() {  # announce <configuration> <its number>
  echo
  echo "== $1: $2 of ${#names[@]}, $(minutes $SECONDS) since the start =="
}

note() {  # prints standard input now, and again in the report
  local line
  line=$(cat)
  echo "$line"
  echo "$line" >>"$notes_file"
}
notes_file=$(mktemp)
trap 'rm -f "$notes_file"' EXIT

short_of_disk() {  # prints a warning if the free disk space is less than a configuration needs
  local left
  left=$(df -Pm . | awk 'NR == 2 { print $4 }')
  [ "$left" -ge 4500 ] || echo ", and $left MB are left on the disk of $PWD: a configuration takes up to 4500"
}

report_unbuilt() {  # report_unbuilt <configuration> <second of its start>
  troubles+=("$1: was not configured$(short_of_disk)")
  rows+=("$1|0|0|1|0|$((SECONDS - $2))|0")
}

is_passed() {  # is_passed <configuration>
  [[ " ${troubles[*]-} " != *" $1: "* ]]
}

# Loops that keep cores busy, so that the threads of a test are delayed at other places in each run. They end with this
# script, or by stop_busy_loops.
busy_loops=()
start_busy_loops() {  # start_busy_loops <number>
  local i k
  for ((i = 0; i < $1; ++i)); do
    (while kill -0 $$ 2>/dev/null; do for ((k = 0; k < 100000; ++k)); do :; done; done) &
    busy_loops+=($!)
  done
}
stop_busy_loops() {
  local loop
  for loop in ${busy_loops[@]+"${busy_loops[@]}"}; do kill "$loop" 2>/dev/null || true; wait "$loop" 2>/dev/null || true; done
  busy_loops=()
}

# Counts the lines that CTest prints as each test ends, so that a program that was not built counts as failed. One test more
# than there are jobs runs at a time, because some wait. Repeated tests run one at a time, on idle cores, or beside busy loops.
run_tests() {  # run_tests <configuration> <second of its start> <ok or no: was it built?> <build folder> <arguments of ctest...>
  local name=$1 built_in=$((SECONDS - $2)) built=$3 folder=$4 log=$4/ctest.log status=0 started=$SECONDS test
  local passed=0 failed=0 skips=0
  shift 4
  local at_once=$((jobs + 1)) repetition=()
  if [ "$repeat" -gt 1 ]; then
    repetition=(--repeat "until-fail:$repeat")
    if [ "$beside" -eq 0 ]; then at_once=1; fi
  fi
  start_busy_loops "$beside"
  ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout $default_timeout -j $at_once \
        ${repetition[@]+"${repetition[@]}"} "$@" 2>&1 | tee "$log" || status=$?
  stop_busy_loops
  while read -r outcome test; do
    case "$outcome" in
      passed) passed=$((passed + 1)) ;;
      skipped) skips=$((skips + 1)); skipped+=("$name: $test") ;;
      failed) failed=$((failed + 1)); troubles+=("$name: $test") ;;
    esac
  done <<<"$(outcomes "$log")"
  if [ "$built" != ok ] && [ $failed -eq 0 ]; then failed=1; troubles+=("$name: was not built in full$(short_of_disk)"); fi
  if [ $status -ne 0 ] && [ $failed -eq 0 ]; then failed=1; troubles+=("$name: ctest ended with status $status"); fi
  rows+=("$name|$((passed + failed + skips))|$passed|$failed|$skips|$built_in|$((SECONDS - started))")
}

# Of a repeated test the last run has the number of the test and of all tests in front, unless it failed.
outcomes() {  # outcomes <log of ctest>: "passed NAME", "skipped NAME" or "failed NAME" for each test; a name may have blanks
  sed -n -E 's/^ *([0-9]+\/[0-9]+ )?Test +#[0-9]+: (.*[^. ]) *\.+( +Passed|\*\*\*)(.*)$/\3\4\t\2\t\1/p' "$1" |
    awk -F '\t' '$3 != "" || $1 !~ /^ +Passed|^\*\*\*(Skipped|Not Run \(Disabled\))/ { print ($1 ~ /^ +Passed +[0-9.]+ sec/ ? "passed" : $1 ~ /^\*\*\*(Skipped|Not Run \(Disabled\))/ ? "skipped" : "failed"), $2 }'
}

print_report() {  # prints the table; returns 1 if anything failed
  local row line passed=0 failed=0 skips=0 total
  echo
  printf '%-13s %7s %7s %7s %8s %9s %10s\n' configuration tests passed failed skipped 'built in' 'tested in'
  for row in ${rows[@]+"${rows[@]}"}; do
    IFS='|' read -r -a line <<<"$row"
    printf '%-13s %7d %7d %7d %8d %9s %10s\n' "${line[@]:0:5}" "$(minutes "${line[5]}")" "$(minutes "${line[6]}")"
    passed=$((passed + line[2])) failed=$((failed + line[3])) skips=$((skips + line[4]))
  done
  echo
  cat "$notes_file"
  for line in ${skipped[@]+"${skipped[@]}"}; do echo "skipped: $line"; done
  for line in ${troubles[@]+"${troubles[@]}"}; do echo "FAILED: $line"; done
  echo "${#names[@]} configuration(s), $(minutes $SECONDS) minutes"
  total="$passed passed, $failed failed"
  if [ $skips -gt 0 ]; then total+=", $skips skipped"; fi
  echo "$total"
  [ $failed -eq 0 ]
}
