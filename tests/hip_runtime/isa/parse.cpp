// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the disassembler's text to operands and modifiers. The text is used because its form has been the same in all
// versions of LLVM, whose classes and numbers of opcodes change with each.
#include "gfx11.hpp"
#include "instruction.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace hip_model::isa {

namespace {

bool starts_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct NamedRegister {
  char const* name;
  unsigned first, words;
};
constexpr NamedRegister named[] = {
    {"vcc", vcc_register, 2},
    {"vcc_lo", vcc_register, 1},
    {"vcc_hi", vcc_register + 1, 1},
    {"exec", exec_register, 2},
    {"exec_lo", exec_register, 1},
    {"exec_hi", exec_register + 1, 1},
    {"m0", m0_register, 1},
    {"flat_scratch", flat_scratch_register, 2},
    {"flat_scratch_lo", flat_scratch_register, 1},
    {"flat_scratch_hi", flat_scratch_register + 1, 1},
    {"xnack_mask", 104, 2},
    {"xnack_mask_lo", 104, 1},
    {"xnack_mask_hi", 105, 1},
};

// Apertures: the upper halves of flat addresses of shared and private memory.
struct NamedConstant {
  char const* name;
  std::int64_t value;
};
constexpr NamedConstant constants[] = {
    {"null", 0},
    {"src_shared_base", std::int64_t(1) << 48},
    {"src_private_base", std::int64_t(2) << 48},
    {"src_shared_limit", (std::int64_t(1) << 48) | 0xffffffff},
    {"src_private_limit", (std::int64_t(2) << 48) | 0xffffffff},
};

// "v5", "v[4:7]", "s3", "a0", ...
bool parse_numbered(std::string_view text, Operand* out) {
  if (text.size() < 2 || (text[0] != 'v' && text[0] != 's' && text[0] != 'a')) return false;
  unsigned first = 0, last = 0;
  std::string const digits(text.substr(1));
  if (is_digit(digits[0])) {
    char* end = nullptr;
    first = last = static_cast<unsigned>(std::strtoul(digits.c_str(), &end, 10));
    if (*end) return false;
  } else if (digits[0] == '[') {
    char* end = nullptr;
    first = last = static_cast<unsigned>(std::strtoul(digits.c_str() + 1, &end, 10));
    if (*end == ':') last = static_cast<unsigned>(std::strtoul(end + 1, &end, 10));
    if (*end != ']') return false;
  } else {
    return false;
  }
  if (text[0] == 'a') first += accumulation_register, last += accumulation_register;
  out->kind  = text[0] == 's' ? Operand::Kind::scalar : Operand::Kind::vector;
  out->first = static_cast<std::uint16_t>(first);
  out->words = static_cast<std::uint8_t>(last - first + 1);
  return true;
}

bool parse_named(std::string_view text, Operand* out) {
  for (auto const& r : named)
    if (text == r.name) {
      out->kind  = Operand::Kind::scalar;
      out->first = static_cast<std::uint16_t>(r.first);
      out->words = static_cast<std::uint8_t>(r.words);
      return true;
    }
  for (auto const& c : constants)
    if (text == c.name) {
      out->kind    = Operand::Kind::constant;
      out->integer = c.value;
      return true;
    }
  constexpr std::pair<char const*, Operand::Kind> bits[] = {{"scc", Operand::Kind::scc},
                                                            {"src_scc", Operand::Kind::scc},
                                                            {"src_vccz", Operand::Kind::vccz},
                                                            {"src_execz", Operand::Kind::execz},
                                                            {"off", Operand::Kind::off}};
  for (auto const& [name, kind] : bits)
    if (text == name) {
      out->kind = kind;
      return true;
    }
  return false;
}

bool parse_number(std::string_view view, Operand* out) {
  for (std::string_view const literal : {"lit(", "lit64("})  // newer LLVM: a literal where an inline constant would do
    if (starts_with(view, literal) && view.back() == ')')
      view = view.substr(literal.size(), view.size() - literal.size() - 1);
  std::string const text(view);
  char* end = nullptr;
  out->kind = Operand::Kind::constant;
  if (text.find("0x") != std::string::npos) {
    out->is_literal = true;
    out->integer    = static_cast<std::int64_t>(std::strtoull(text.c_str(), &end, 16));
  } else if (text.find('.') != std::string::npos) {
    out->is_real = true;
    out->real    = std::strtod(text.c_str(), &end);
  } else {
    out->integer = std::strtoll(text.c_str(), &end, 10);
  }
  return !text.empty() && *end == 0;
}

Operand parse_operand(std::string_view text) {
  Operand o;
  if (starts_with(text, "sext(") && text.back() == ')') {
    o.sign_extend = true;
    text          = text.substr(5, text.size() - 6);
  }
  if (starts_with(text, "neg(") && text.back() == ')') {
    o.negate = true;
    text     = text.substr(4, text.size() - 5);
  }
  if (text.size() > 1 && text[0] == '-' && !is_digit(text[1])) {
    o.negate = true;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    o.absolute = true;
    text       = text.substr(1, text.size() - 2);
  }
  if (!parse_numbered(text, &o) && !parse_named(text, &o) && !parse_number(text, &o))
    throw Stop("the operand '" + std::string(text) + "' is unknown");
  return o;
}

std::uint8_t parse_bits(std::string_view list) {  // "[0,1,1]"
  unsigned bits = 0, n = 0;
  for (char c : list)
    if (is_digit(c)) bits |= static_cast<unsigned>(c - '0') << n++;
  return static_cast<std::uint8_t>(bits);
}

bool parse_valued(std::string_view text, Instruction* i) {
  auto const colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  std::string_view const name = text.substr(0, colon), value = text.substr(colon + 1);
  auto number = [&] { return static_cast<std::int32_t>(std::strtol(std::string(value).c_str(), nullptr, 0)); };
  if (name == "offset")
    i->offset = starts_with(value, "swizzle") ? static_cast<std::int32_t>(i->raw[0] & 0xffff) : number();
  else if (name == "offset0")
    i->offset0 = number();
  else if (name == "offset1")
    i->offset1 = number();
  else if (name == "op_sel") {
    i->op_sel = parse_bits(value);
    // One more than there are sources: the result's.
    auto const entries    = static_cast<unsigned>(std::count_if(value.begin(), value.end(), is_digit));
    unsigned const result = i->count - i->first_source;
    i->writes_upper_half  = entries == result + 1 && (i->op_sel >> result & 1);
  } else if (name == "op_sel_hi")
    i->op_sel_hi = parse_bits(value);
  else if (name == "neg_lo")
    i->negate_low = parse_bits(value);
  else if (name == "neg_hi")
    i->negate_high = parse_bits(value);
  else if (name == "mul")
    i->output_scale = static_cast<std::int8_t>(number() == 4 ? 2 : 1);
  else if (name == "div")
    i->output_scale = -1;
  else if (i->dpp || i->sdwa)
    return true;  // read from the encoding
  else
    return false;
  return true;
}

void parse_modifier(std::string_view text, Instruction* i) {
  if (parse_valued(text, i)) return;
  if (text == "clamp")
    i->clamp = true;
  else if (text == "glc" || text == "sc0")
    i->glc = true;
  else if (text == "offen")
    i->offset_enabled = true;
  else if (text == "idxen")
    i->index_enabled = true;
  else if (text != "slc" && text != "scc" && text != "dlc" && text != "sc1" && text != "nt" &&
           !i->dpp)  // slc, scc, dlc, sc1, nt: for caches; DPP's controls are read from the encoding
    throw Stop("the modifier '" + std::string(text) + "' is unknown");
}

// The last word of these encodings is read directly, because its text has many forms ("Vega" ISA document, 13.3.6,
// 13.3.7). The word before it names the form where its first source would be.
void read_dpp(Instruction* i, bool is_vop3) {
  std::uint32_t const word = i->raw[is_vop3 ? 2 : 1], form = i->raw[is_vop3 ? 1 : 0] & 0x1ff;
  if (form == 0xe9 || form == 0xea) {
    i->is_dpp8          = true;
    i->dpp_lanes        = word >> 8;
    i->fetches_inactive = form == 0xea;
    return;
  }
  i->fetches_inactive = word >> 18 & 1;
  i->dpp_control      = word >> 8 & 0x1ff;
  i->bound_control    = word >> 19 & 1;
  i->bank_mask        = word >> 24 & 0xf;
  i->row_mask         = word >> 28;
}

void read_sdwa(Instruction* i, bool is_compare) {
  std::uint32_t const word = i->raw[1];
  if (!is_compare) {
    i->result_part  = word >> 8 & 7;
    i->unused_parts = word >> 11 & 3;
  }
  // Operands after the result; compares and carries have vcc or a pair of scalar registers among them.
  int source = 0;
  for (unsigned k = i->first_source; k < i->count && source < 2; ++k) {
    Operand& o = i->operands[k];
    if (o.is_scalar() && o.words == 2) continue;
    o.part = source++ == 0 ? word >> 16 & 7 : word >> 24 & 7;
  }
}

/// "v1.h" on gfx11 is the upper half of a register, as op_sel says elsewhere: the result's, or that of a source.
std::string without_half(std::string_view text, Instruction* i) {
  auto const dot = text.rfind('.');
  bool const has = dot != std::string_view::npos && dot > 0 && is_digit(text[dot - 1]) && dot + 1 < text.size() &&
                   (text[dot + 1] == 'l' || text[dot + 1] == 'h');
  if (!has) return std::string(text);
  if (text[dot + 1] == 'h') {
    if (i->count < i->first_source)
      i->writes_upper_half = true;
    else
      i->op_sel |= static_cast<std::uint8_t>(1u << (i->count - i->first_source));
  }
  return std::string(text.substr(0, dot)) + std::string(text.substr(dot + 2));  // "|v1.h|"
}

/// Commas separate operands, blanks modifiers, except inside of brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth         = 0;
  std::size_t begin = 0;
  for (std::size_t p = 0; p <= text.size(); ++p) {
    char const c = p < text.size() ? text[p] : ' ';
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth > 0 || (c != ',' && c != ' ' && c != '\t')) continue;
    if (p > begin) pieces.push_back(text.substr(begin, p - begin));
    begin = p + 1;
  }
  return pieces;
}

// Whether the operands of an instruction are separate fields, which are read from the encoding instead of the text.
bool reads_encoding(std::string_view name) {
  return starts_with(name, "s_waitcnt") || name == "s_clause" || name == "s_inst_prefetch" || name == "s_round_mode" ||
         name == "s_denorm_mode" || starts_with(name, "s_getreg") || starts_with(name, "s_setreg") ||
         name == "buffer_inv" || name == "buffer_wbl2" || name == "s_sendmsg" || name == "s_nop" || name == "s_sleep" ||
         name == "s_trap" || name == "s_endpgm" || name == "s_setprio" || name == "s_sethalt" ||
         starts_with(name, "s_sendmsg_rtn") || name == "s_delay_alu" || name == "s_set_inst_prefetch_distance" ||
         name == "s_set_gpr_idx_mode" || name == "s_branch" || starts_with(name, "s_cbranch");
}

// The last type in the mnemonic is the type of the result, except in v_cvt_<to>_<from>, where it is the first.
bool has_integer_result(std::string_view name) {
  if (starts_with(name, "v_cvt_")) return name[6] != 'f';
  auto const type = name.substr(name.rfind('_') + 1);
  return type[0] == 'u' || type[0] == 'i' || type[0] == 'b';
}

bool has_two_results(std::string_view name) {
  return starts_with(name, "v_div_scale") || name.find("_co_") != std::string_view::npos ||
         starts_with(name, "v_mad_u64") || starts_with(name, "v_mad_i64");
}

}  // namespace

std::string parse(std::string const& text, Instruction* i) {
  std::string_view rest = text;
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  if (auto comment = rest.find("//"); comment != std::string_view::npos) rest = rest.substr(0, comment);
  if (auto comment = rest.find(';'); comment != std::string_view::npos) rest = rest.substr(0, comment);
  auto const pieces = split(rest);
  if (pieces.empty()) throw Stop("the disassembler wrote no text");
  std::string name(pieces[0]);
  for (char const* ending : {"_e32", "_e64", "_dpp", "_sdwa"})
    if (name.size() > std::strlen(ending) &&
        name.compare(name.size() - std::strlen(ending), std::string::npos, ending) == 0) {
      i->dpp  = ending[1] == 'd';
      i->sdwa = ending[1] == 's';
      name.resize(name.size() - std::strlen(ending));
      break;
    }
  bool const is_vop3_dpp = i->dpp && name.size() > 4 && name.compare(name.size() - 4, 4, "_e64") == 0;  // gfx11
  if (is_vop3_dpp) name.resize(name.size() - 4);
  name = name_before_gfx11(name);
  if (name.find("_mix") != std::string::npos) i->op_sel_hi = 0;  // the default of these alone
  if (reads_encoding(name)) {
    if (pieces.size() > 1 && !starts_with(name, "s_setreg_imm32") &&
        (starts_with(name, "s_getreg") || starts_with(name, "s_sendmsg_rtn")))
      i->operands[i->count++] = parse_operand(pieces[1]);
    if (pieces.size() > 1 && name == "s_setreg_b32") i->operands[i->count++] = parse_operand(pieces.back());
    return name;
  }
  if (has_two_results(name)) i->first_source = 2;
  std::size_t next = 1;
  // Operands end where a comma does not follow.
  for (; next < pieces.size(); ++next) {
    char const* before = pieces[next].data() - 1;
    if (next > 1) {
      while (*before == ' ') --before;
      if (*before != ',') break;
    }
    if (starts_with(pieces[next], "gpr_idx(")) continue;  // read from the encoding
    if (i->count == Instruction::max_operands) throw Stop("it has more operands than any known instruction");
    if (pieces[next] == "null" && i->count < i->first_source) {
      Operand& nowhere = i->operands[i->count++];
      nowhere.kind     = Operand::Kind::scalar;
      nowhere.first    = null_register;
      nowhere.words    = 2;
      continue;
    }
    i->operands[i->count] = parse_operand(without_half(pieces[next], i));
    ++i->count;
  }
  // On gfx10, these comparisons write only the exec mask, and the text omits this operand.
  if (starts_with(name, "v_cmpx_") && i->count == 2) {
    i->operands[2] = i->operands[1];
    i->operands[1] = i->operands[0];
    i->operands[0] = parse_operand("exec");
    i->count       = 3;
    // The halves were noted as if the first operand were the result.
    i->op_sel            = static_cast<std::uint8_t>(i->op_sel << 1 | (i->writes_upper_half ? 1 : 0));
    i->writes_upper_half = false;
  }
  if (i->dpp) read_dpp(i, is_vop3_dpp);
  if (i->sdwa) read_sdwa(i, starts_with(name, "v_cmp"));
  for (; next < pieces.size(); ++next) parse_modifier(pieces[next], i);
  if (i->clamp && has_integer_result(name)) name += " clamp";  // saturates; a real result is clamped to 0 and 1
  return name;
}

}  // namespace hip_model::isa
