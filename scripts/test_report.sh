#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts/test: runs CTest, counts, and prints the table at the end.

rows=()      # configuration|tests|passed|failed|skipped|seconds of building|seconds of testing
troubles=()  # names of failed tests, one for each
skipped=()

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

# Counts the lines that CTest prints as each test ends, so that a program that was not built counts as failed. One test more
# than there are jobs runs at a time, because some wait.
run_tests() {  # run_tests <configuration> <second of its start> <ok or no: was it built?> <build folder> <arguments of ctest...>
  local name=$1 built_in=$((SECONDS - $2)) built=$3 folder=$4 log=$4/ctest.log status=0 started=$SECONDS test
  local passed=0 failed=0 skips=0
  shift 4
  ctest --test-dir "$folder" --output-on-failure --no-tests=error -j $((jobs + 1)) "$@" 2>&1 | tee "$log" || status=$?
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

outcomes() {  # outcomes <log of ctest>: "passed NAME", "skipped NAME" or "failed NAME" for each test; a name may have blanks
  sed -n -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: (.*[^. ]) *\.+( +Passed|\*\*\*)(.*)$/\2\3\t\1/p' "$1" |
    awk -F '\t' '{ print ($1 ~ /^ +Passed +[0-9.]+ sec/ ? "passed" : $1 ~ /^\*\*\*(Skipped|Not Run \(Disabled\))/ ? "skipped" : "failed"), $2 }'
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
