// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats: ELF, and "ELF Code Object" in LLVM's User Guide for AMDGPU Backend.
#include "program.hpp"
#include "counts.hpp"
#include "gfx11.hpp"
#include "register_index.hpp"
#include "statistics.hpp"
#include "table.hpp"

#include <elf.h>

#include <cstdio>
#include <cstring>
#include <utility>

namespace hip_model::isa {

namespace {

template <class T>
T read(unsigned char const* p) {
  T t;
  std::memcpy(&t, p, sizeof t);
  return t;
}

// Relocations of code objects ("Relocation Records").
constexpr unsigned relocation_abs64 = 3, relocation_relative64 = 13;

}  // namespace

Program::Program(unsigned char const* elf, Processor const& processor) : m_elf(elf), m_processor(processor) {
  read_segments();
  read_symbols();
  m_decoded = std::make_unique<std::atomic<Instruction const*>[]>((m_text_end - m_text_begin) / 4 + 1);
}

void Program::read_segments() {
  auto const header = read<Elf64_Ehdr>(m_elf);
  for (int k = 0; k < header.e_phnum; ++k) {
    auto const segment = read<Elf64_Phdr>(m_elf + header.e_phoff + std::size_t(k) * header.e_phentsize);
    if (segment.p_type != PT_LOAD) continue;
    m_bytes = std::max<std::uint64_t>(m_bytes, segment.p_vaddr + segment.p_memsz);
    m_initial.resize(m_bytes);
    std::memcpy(m_initial.data() + segment.p_vaddr, m_elf + segment.p_offset, segment.p_filesz);
    if (segment.p_flags & PF_X) {
      m_text_begin = segment.p_vaddr;
      m_text_end   = segment.p_vaddr + segment.p_filesz;
    }
  }
}

void Program::read_symbols() {
  auto const header = read<Elf64_Ehdr>(m_elf);
  auto section      = [&](unsigned k) {
    return read<Elf64_Shdr>(m_elf + header.e_shoff + std::size_t(k) * header.e_shentsize);
  };
  for (unsigned k = 0; k < header.e_shnum; ++k) {
    Elf64_Shdr const table = section(k);
    if (table.sh_type != SHT_DYNSYM && table.sh_type != SHT_SYMTAB) continue;
    auto const* names = reinterpret_cast<char const*>(m_elf + section(table.sh_link).sh_offset);
    for (std::uint64_t at = 0; at < table.sh_size; at += table.sh_entsize) {
      auto const symbol = read<Elf64_Sym>(m_elf + table.sh_offset + at);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name == 0) continue;
      m_symbols.insert(
          {names + symbol.st_name, {symbol.st_value, symbol.st_size, ELF64_ST_TYPE(symbol.st_info) == STT_FUNC}});
    }
  }
}

void Program::relocate(char* base) const {
  auto const header = read<Elf64_Ehdr>(m_elf);
  auto section      = [&](unsigned k) {
    return read<Elf64_Shdr>(m_elf + header.e_shoff + std::size_t(k) * header.e_shentsize);
  };
  for (unsigned k = 0; k < header.e_shnum; ++k) {
    Elf64_Shdr const table = section(k);
    if (table.sh_type != SHT_RELA) continue;
    for (std::uint64_t at = 0; at < table.sh_size; at += table.sh_entsize) {
      auto const r          = read<Elf64_Rela>(m_elf + table.sh_offset + at);
      unsigned const type   = ELF64_R_TYPE(r.r_info);
      std::uint64_t address = reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uint64_t>(r.r_addend);
      if (type == relocation_abs64) {
        Elf64_Shdr const symbols = section(table.sh_link);
        address += read<Elf64_Sym>(m_elf + symbols.sh_offset + ELF64_R_SYM(r.r_info) * symbols.sh_entsize).st_value;
      } else if (type != relocation_relative64) {
        throw Stop("the code object has a relocation of type " + std::to_string(type) + ", which is unknown");
      }
      std::memcpy(base + r.r_offset, &address, sizeof address);
    }
  }
}

Image const& Program::image(int device) {
  Image& image = m_images[device];
  if (image.memory) return image;
  image.memory = MemoryTable::get().allocate(MemoryKind::device, device, m_bytes, 0);
  if (!image.memory) throw Stop("the memory of the device has no room for the code object");
  image.memory->internal = true;
  std::memcpy(image.memory->base, m_initial.data(), m_bytes);
  relocate(image.memory->base);
  return image;
}

bool Program::find(std::string const& name, std::uint64_t* offset, std::uint64_t* bytes) const {
  auto it = m_symbols.find(name);
  if (it == m_symbols.end()) return false;
  *offset = it->second.offset;
  *bytes  = it->second.bytes;
  return true;
}

KernelDescriptor Program::descriptor(std::string const& symbol, std::uint64_t* offset) const {
  std::uint64_t bytes = 0;
  if (!find(symbol, offset, &bytes) || *offset + sizeof(KernelDescriptor) > m_initial.size())
    throw Stop("the code object has no kernel descriptor " + symbol);
  return read<KernelDescriptor>(m_initial.data() + *offset);
}

std::string Program::function_at(std::uint64_t offset) const {
  for (auto const& [name, symbol] : m_symbols)
    if (symbol.is_function && offset >= symbol.offset && offset < symbol.offset + symbol.bytes) {
      char distance[24];
      std::snprintf(distance, sizeof distance, "+0x%llx", static_cast<unsigned long long>(offset - symbol.offset));
      return name + distance;
    }
  return "offset " + std::to_string(offset);
}

void Program::outside(std::uint64_t offset) const {
  throw Stop("the program counter is at offset " + std::to_string(offset) +
             " of the code object, which has no code there");
}

namespace {

void unknown(Wave&, Instruction const& i) { throw Stop("unknown instruction: " + i.text); }

void require_encodable(Instruction const& i, Processor const& processor) {
  for (unsigned k = 0; k < i.count; ++k)
    if (processor.requires_even_registers && i[k].is_vector() && i[k].words > 1 && i[k].first % 2)
      throw Stop("values of several vector registers must begin at an even one");
  if (i.dpp && i.count > i.first_source && i[i.first_source].words > 1) throw Stop("DPP of 64 bits is unknown");
}

// Fills the space between functions.
bool is_padding(std::string const& text) {
  return text.rfind("s_code_end", 0) == 0 || text.rfind("v_illegal", 0) == 0;  // the latter are zeros on gfx11
}

bool ends_a_run(std::string const& name) {
  return name == "s_endpgm" || name == "s_branch" || name == "s_setpc_b64" || name == "s_swappc_b64";
}

}  // namespace

void Program::add_second(Instruction* first, std::string const& text) {
  Instruction& i = m_instructions.emplace_back();
  i.at           = first->at;
  i.text         = text;
  i.is_vector    = true;
  i.run          = Table::get().find(parse(text, &i));
  first->second  = &i;
  // The handler is also that of the first half alone; without the second one, the pair is unknown.
  first->run_first = std::exchange(first->run, i.run ? &run_pair : nullptr);
}

Instruction const& Program::decode(std::uint64_t offset) {
  std::lock_guard<std::mutex> const lock(m_decoding);
  if (!m_disassembler) m_disassembler = std::make_unique<Disassembler>(m_processor.name);
  for (std::uint64_t at = offset; at < m_text_end;) {
    auto& place = m_decoded[(at - m_text_begin) / 4];
    if (place.load()) break;
    Instruction& i                  = m_instructions.emplace_back();
    unsigned char const* const code = m_initial.data() + at;
    i.at                            = at;
    i.keeps_upper_half              = m_processor.is_rdna;
    std::memcpy(i.raw, code, std::min<std::uint64_t>(sizeof i.raw, m_text_end - at));
    i.bytes = static_cast<std::uint32_t>(m_disassembler->text(code, m_text_end - at, at, &i.text));
    std::string name, first, second;
    try {
      bool const is_pair = m_processor.is_gfx11 && split_pair(i.text, &first, &second);
      if (i.bytes) name = parse(is_pair ? first : i.text, &i);
      require_encodable(i, m_processor);
      if (m_processor.is_gfx11 && name == "s_waitcnt") rearrange_waitcnt(&i);
      i.run = i.bytes ? Table::get().find(name) : nullptr;
      if (is_pair && i.run) add_second(&i, second);
      if (!i.run) {
        i.run = &unknown;
        if (!i.bytes) i.text = "no instruction has these bits";
      }
    } catch (Stop const& why) {
      i.run = &unknown;
      i.text += std::string(": ") + why.what();
    }
    if (!i.bytes) i.bytes = 4;
    i.is_vector    = name[0] != 's';
    i.indexing     = indexing_of(name, i);
    i.kind         = kind_of(name);
    i.access_bytes = access_bytes(name);
    i.is_load      = name.find("_load_") != std::string::npos || name.rfind("ds_read", 0) == 0;
    add_mnemonic(i.text.substr(0, i.text.find_first_of(" \t")));
    place.store(&i, std::memory_order_release);
    if (ends_a_run(name)) break;
    at += i.bytes;
  }
  return *m_decoded[(offset - m_text_begin) / 4].load();
}

std::map<std::string, unsigned> Program::unknown_instructions() {
  std::map<std::string, unsigned> found;
  for (std::uint64_t offset = m_text_begin; offset < m_text_end;) {
    Instruction const& i = at(offset);
    if (i.run == &unknown && !is_padding(i.text)) {
      auto const reason = i.text.find(": ");
      ++found[i.text.substr(0, i.text.find_first_of(" \t")) +
              (reason == std::string::npos ? "" : i.text.substr(reason))];
    }
    offset += i.bytes;
  }
  return found;
}

}  // namespace hip_model::isa
