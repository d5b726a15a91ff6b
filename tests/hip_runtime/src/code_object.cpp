// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats: clang's offload bundle (llvm.org, "Clang Offload Bundler"), ELF, and the AMDGPU metadata note, which is
// MessagePack (llvm.org, "User Guide for AMDGPU Backend", code object V3 and later).
#include "code_object.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hip_model {

namespace {

/// A value of MessagePack, as far as the metadata use it.
struct Value {
  std::uint64_t number = 0;
  std::string text;
  std::vector<Value> items;       // of an array, or values of a map
  std::vector<std::string> keys;  // of a map
  Value const* operator[](std::string_view key) const {
    auto it = std::find(keys.begin(), keys.end(), key);
    return it == keys.end() ? nullptr : &items[static_cast<std::size_t>(it - keys.begin())];
  }
};

class Reader {
 public:
  Reader(const unsigned char* p, std::size_t n) : m_p(p), m_end(p + n) {}
  Value value() {
    Value v;
    const unsigned tag = static_cast<unsigned>(big_endian(1));
    if (tag < 0x80)
      v.number = tag;
    else if (tag < 0x90)
      map(v, tag & 15);
    else if (tag < 0xa0)
      array(v, tag & 15);
    else if (tag < 0xc0)
      text(v, tag & 31);
    else if (tag >= 0xe0)
      v.number = tag;  // small negative numbers have no use here
    else
      switch (tag) {
        case 0xc2:
        case 0xc3:
          v.number = tag & 1;
          break;
        case 0xca:
          m_p += 4;
          break;
        case 0xcb:
          m_p += 8;
          break;
        case 0xcc:
        case 0xcd:
        case 0xce:
        case 0xcf:
          v.number = big_endian(1u << (tag - 0xcc));
          break;
        case 0xd0:
        case 0xd1:
        case 0xd2:
        case 0xd3:
          v.number = big_endian(1u << (tag - 0xd0));
          break;
        case 0xc4:
        case 0xd9:
          text(v, big_endian(1));
          break;
        case 0xc5:
        case 0xda:
          text(v, big_endian(2));
          break;
        case 0xc6:
        case 0xdb:
          text(v, big_endian(4));
          break;
        case 0xdc:
          array(v, big_endian(2));
          break;
        case 0xdd:
          array(v, big_endian(4));
          break;
        case 0xde:
          map(v, big_endian(2));
          break;
        case 0xdf:
          map(v, big_endian(4));
          break;
        default:
          break;
      }
    return v;
  }

 private:
  std::uint64_t big_endian(unsigned bytes) {
    std::uint64_t n = 0;
    for (; bytes > 0 && m_p < m_end; --bytes) n = n << 8 | *m_p++;
    return n;
  }
  void text(Value& v, std::uint64_t n) {
    n = std::min<std::uint64_t>(n, static_cast<std::uint64_t>(m_end - m_p));
    v.text.assign(reinterpret_cast<const char*>(m_p), n);
    m_p += n;
  }
  void array(Value& v, std::uint64_t n) {
    while (n-- > 0 && m_p < m_end) v.items.push_back(value());
  }
  void map(Value& v, std::uint64_t n) {
    while (n-- > 0 && m_p < m_end) {
      v.keys.push_back(value().text);
      v.items.push_back(value());
    }
  }
  const unsigned char *m_p, *m_end;
};

CompiledKernel kernel_of(Value const& description) {
  CompiledKernel kernel;
  if (Value const* shared = description[".group_segment_fixed_size"]) kernel.static_shared = shared->number;
  if (Value const* threads = description[".max_flat_workgroup_size"])
    kernel.max_threads = static_cast<int>(threads->number);
  Value const* arguments = description[".args"];
  if (!arguments) return kernel;
  for (Value const& a : arguments->items) {
    Value const* kind = a[".value_kind"];
    if (!kind || kind->text.rfind("hidden_", 0) == 0 || !a[".offset"] || !a[".size"])
      continue;  // hidden: the compiler's own
    kernel.offsets.push_back(a[".offset"]->number);
    kernel.sizes.push_back(a[".size"]->number);
  }
  return kernel;
}

constexpr unsigned metadata_note = 32;  // NT_AMDGPU_METADATA

void read_notes(const unsigned char* p, std::size_t bytes, std::map<std::string, CompiledKernel>& all) {
  const unsigned char* end = p + bytes;
  auto padded              = [](std::size_t n) { return (n + 3) / 4 * 4; };
  while (p + sizeof(Elf64_Nhdr) <= end) {
    Elf64_Nhdr note;
    std::memcpy(&note, p, sizeof note);
    const unsigned char* name    = p + sizeof note;
    const unsigned char* content = name + padded(note.n_namesz);
    if (note.n_type == metadata_note && note.n_namesz == 7 && std::memcmp(name, "AMDGPU", 7) == 0) {
      const Value root = Reader(content, note.n_descsz).value();
      if (Value const* kernels = root["amdhsa.kernels"])
        for (Value const& k : kernels->items)
          if (Value const* kernel_name = k[".name"]) all.insert({kernel_name->text, kernel_of(k)});
    }
    p = content + padded(note.n_descsz);
  }
}

void read_elf(const unsigned char* elf, std::map<std::string, CompiledKernel>& all) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, elf + header.e_phoff + static_cast<std::size_t>(i) * header.e_phentsize, sizeof segment);
    if (segment.p_type == PT_NOTE) read_notes(elf + segment.p_offset, segment.p_filesz, all);
  }
}

}  // namespace

std::map<std::string, CompiledKernel> kernels_of(const void* binary) {
  std::map<std::string, CompiledKernel> all;
  const auto* bytes           = static_cast<const unsigned char*>(binary);
  constexpr char bundle[]     = "__CLANG_OFFLOAD_BUNDLE__";
  constexpr std::size_t magic = sizeof bundle - 1;
  if (std::memcmp(bytes, ELFMAG, SELFMAG) == 0) {
    read_elf(bytes, all);
  } else if (std::memcmp(bytes, bundle, magic) == 0) {
    auto number = [&](const unsigned char* p) {
      std::uint64_t n;
      std::memcpy(&n, p, sizeof n);
      return n;
    };
    const unsigned char* p = bytes + magic + 8;
    for (std::uint64_t left = number(bytes + magic); left > 0; --left) {
      const std::uint64_t offset = number(p), size = number(p + 8), name = number(p + 16);
      const std::string_view target(reinterpret_cast<const char*>(p + 24), name);
      if (size > 0 && target.rfind("host", 0) != 0) read_elf(bytes + offset, all);
      p += 24 + name;
    }
  }
  return all;
}

}  // namespace hip_model
