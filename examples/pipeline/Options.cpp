// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

char const* const usage =
    "usage: pipeline FILE [options]\n"
    "       pipeline --generate SIZE [options]\n"
    "Streams a file of any size through the device in chunks and enciphers it on the way (ChaCha20; doing it twice\n"
    "gives the file back). Chunks go round over several instances, so that copies in, kernels and copies out overlap.\n"
    "Prints a row with times and rates for each kind of memory and number of instances.\n"
    "  --generate SIZE       instead of a file: SIZE bytes of made-up data, so that no disk is measured\n"
    "  --out FILE            where the result goes (default: nowhere)\n"
    "  --key HEX             64 hexadecimal digits; --out needs it\n"
    "  --nonce HEX           16 hexadecimal digits (default: zeros); another one for each file under one key\n"
    "  --chunk SIZE          bytes that an instance has at a time (default 32M)\n"
    "  --instances N[,N...]  instances of the execution space, 1 to 64 (default 1,4; with --out 4)\n"
    "  --memory KIND[,KIND]  of the host: pageable, pinned (default both; with --out pageable)\n"
    "  --check               compare everything with a plain loop; slow\n"
    "  --progress            report progress even if the output is no terminal\n"
    "SIZE is a number of bytes, or one with K, M, G or T after it.\n"
    "Arguments that begin with --kokkos- go to Kokkos.\n";

namespace {

[[noreturn]] void refuse(std::string_view option, std::string const& allowed, std::string_view text) {
  throw std::runtime_error(std::string(option) + " takes " + allowed + ", not \"" + std::string(text) + "\".");
}

std::uint64_t parse_size(std::string_view option, std::string_view text, std::uint64_t low, std::uint64_t high) {
  static constexpr std::string_view suffixes = "KMGT";
  std::uint64_t value                        = 0;
  auto const [end, code]                     = std::from_chars(text.data(), text.data() + text.size(), value);
  auto const suffix                          = text.substr(std::size_t(end - text.data()));
  auto const power                           = suffix.size() == 1 ? suffixes.find(suffix[0]) : std::string_view::npos;
  int const shift                            = suffix.empty() ? 0 : 10 * (int(power) + 1);
  bool const is_number = code == std::errc() && (suffix.empty() || power != std::string_view::npos);
  if (!is_number || value > high >> shift || value << shift < low) {
    refuse(option,
           "a number of bytes from " + std::to_string(low) + " to " + std::to_string(high) +
               ", or one with K, M, G or T after it",
           text);
  }
  return value << shift;
}

/// Calls take(part) for each of the parts between commas.
template <class Take>
void for_each_part(std::string_view text, Take const& take) {
  for (;;) {
    auto const comma = text.find(',');
    take(text.substr(0, comma));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

std::vector<int> parse_instances(std::string_view text) {
  std::vector<int> all;
  for_each_part(text, [&](std::string_view part) {
    int n                  = 0;
    auto const [end, code] = std::from_chars(part.data(), part.data() + part.size(), n);
    if (code != std::errc() || end != part.data() + part.size() || n < 1 || n > 64) {
      refuse("--instances", "numbers from 1 to 64 with commas between them", part);
    }
    all.push_back(n);
  });
  return all;
}

std::vector<Memory> parse_memory(std::string_view text) {
  std::vector<Memory> all;
  for_each_part(text, [&](std::string_view part) {
    if (part != "pageable" && part != "pinned") {
      refuse("--memory", "pageable, pinned, or both with a comma between", part);
    }
    all.push_back(part == "pinned" ? Memory::pinned : Memory::pageable);
  });
  return all;
}

/// Bytes in the order of the text, as little-endian words.
template <std::size_t N>
void parse_hex(std::string_view option, std::string_view text, std::uint32_t (&words)[N]) {
  std::string const allowed = std::to_string(8 * N) + " hexadecimal digits";
  if (text.size() != 8 * N) refuse(option, allowed, text);
  for (std::size_t i = 0; i < 4 * N; ++i) {
    unsigned byte          = 0;
    char const* const at   = text.data() + 2 * i;
    auto const [end, code] = std::from_chars(at, at + 2, byte, 16);
    if (code != std::errc() || end != at + 2) refuse(option, allowed, text);
    words[i / 4] |= std::uint32_t(byte) << 8 * (i % 4);
  }
}

}  // namespace

Options parse_options(int argc, char* argv[]) {
  Options options;
  bool has_key = false, chose_instances = false, chose_memory = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto value                      = [&]() -> std::string_view {
      if (i + 1 == argc) throw std::runtime_error(std::string(argument) + " needs a value after it.");
      return argv[++i];
    };
    if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument == "--generate") {
      options.generate = parse_size(argument, value(), 1, std::uint64_t(1) << 50);
    } else if (argument == "--out") {
      options.out = value();
    } else if (argument == "--key") {
      for (auto& word : options.cipher.key) word = 0;
      parse_hex(argument, value(), options.cipher.key);
      has_key = true;
    } else if (argument == "--nonce") {
      for (auto& word : options.cipher.nonce) word = 0;
      parse_hex(argument, value(), options.cipher.nonce);
    } else if (argument == "--chunk") {
      options.chunk = std::size_t(parse_size(argument, value(), 64, std::uint64_t(1) << 34) + 63) / 64 * 64;
    } else if (argument == "--instances") {
      options.instances = parse_instances(value());
      chose_instances   = true;
    } else if (argument == "--memory") {
      options.memory = parse_memory(value());
      chose_memory   = true;
    } else if (argument == "--check") {
      options.check = true;
    } else if (argument == "--progress") {
      options.progress = true;
    } else if (argument.starts_with("-")) {
      throw std::runtime_error("pipeline has no option \"" + std::string(argument) + "\"; --help lists those it has.");
    } else if (options.in.empty()) {
      options.in = argument;
      if (options.in.empty()) throw std::runtime_error("The name of the file is empty.");
    } else {
      throw std::runtime_error("pipeline takes one file, but was given \"" + options.in + "\" and \"" +
                               std::string(argument) + "\".");
    }
  }
  if (options.help) return options;
  if (options.in.empty() == (options.generate == 0)) {
    throw std::runtime_error("pipeline takes either a file or --generate SIZE; --help lists the options.");
  }
  if (!options.out.empty()) {
    if (!has_key) {
      throw std::runtime_error(
          "--out needs --key with 64 hexadecimal digits: without a key of your own, anybody could read the result.");
    }
    if (!chose_instances) options.instances = {4};
    if (!chose_memory) options.memory = {Memory::pageable};
    if (options.instances.size() * options.memory.size() > 1) {
      throw std::runtime_error("--out takes one run: name one number of instances and one kind of memory.");
    }
  }
  return options;
}
