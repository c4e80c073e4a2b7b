// SPDX-License-Identifier: Apache-2.0
#include "cases/formula/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <mutex>
#include <string_view>

namespace lbm::formula {
namespace {

// Visits names and functions, sorted. An own list, so that every version of muParser knows the same
// names: its `log` has changed.
template <class Visit>
void for_each_function(const Visit& visit) {
  using One = mu::fun_type1;
  visit("abs", One{std::abs});
  visit("acos", One{std::acos});
  visit("asin", One{std::asin});
  visit("atan", One{std::atan});
  visit("atan2", mu::fun_type2{std::atan2});
  visit("ceil", One{std::ceil});
  visit("cos", One{std::cos});
  visit("cosh", One{std::cosh});
  visit("erf", One{std::erf});
  visit("exp", One{std::exp});
  visit("floor", One{std::floor});
  visit("hypot", mu::fun_type2{std::hypot});
  visit("log", One{std::log});
  visit("log10", One{std::log10});
  visit("max",
        mu::multfun_type{[](const double* v, int n) { return *std::max_element(v, v + n); }});
  visit("min",
        mu::multfun_type{[](const double* v, int n) { return *std::min_element(v, v + n); }});
  visit("mod", mu::fun_type2{[](double x, double y) { return x - y * std::floor(x / y); }});
  visit("sign", One{[](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }});
  visit("sin", One{std::sin});
  visit("sinh", One{std::sinh});
  visit("sqrt", One{std::sqrt});
  visit("tan", One{std::tan});
  visit("tanh", One{std::tanh});
}

// Such parts of muParser as strings and assignments (which would change a variable) have no meaning
// here.
constexpr const char* comma_outside =
    "found a comma outside of a function: numbers have a point, not a comma";
constexpr std::string_view signs = "+-*/^()<>=!&|?:,._ \t\n\r";

bool may_occur(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         signs.find(c) != std::string_view::npos;
}

// The text around a position, on one line of plain letters.
std::string around(const std::string& text, std::size_t at) {
  constexpr std::size_t before = 30, after = 30;
  const std::size_t begin = at > before ? at - before : 0;
  const std::size_t end = std::min(text.size(), at + after);
  std::string part = text.substr(begin, end - begin);
  for (char& c : part) {
    if (!may_occur(c) || c == '\t' || c == '\n' || c == '\r')
      c = c == '"' ? '\'' : c > ' ' && c < 0x7f ? c : '?';
  }
  return fmt::format("{}{}{}", begin > 0 ? "..." : "", part, end < text.size() ? "..." : "");
}

[[noreturn]] void refuse(const std::string& text, std::size_t at, const std::string& what) {
  throw FormulaError(fmt::format("position {} of \"{}\": {}", at + 1, around(text, at), what));
}

void check_characters(const std::string& text) {
  if (text.find_first_not_of(" \t\n\r") == std::string::npos) {
    throw FormulaError("found an empty formula, must be one such as \"sin(2*pi*x/lx)\"");
  }
  if (text.size() > longest) {
    throw FormulaError(
        fmt::format("found a formula of {} characters, must be at most {}", text.size(), longest));
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!may_occur(text[i])) refuse(text, i, "found a character that no formula has: remove it");
    if (text[i] == '*' && i > 0 && text[i - 1] == '*')
      refuse(text, i, "found **, must be ^ for a power");
    if (text[i] != '=') continue;
    const char before = i > 0 ? text[i - 1] : ' ';
    if (before == '<' || before == '>' || before == '!') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    refuse(text, i, "found = alone, must be == to compare: a formula is a value without a name");
  }
}

std::string unknown(const std::string& token, const Names& names) {
  for (const auto& [name, why] : names.elsewhere) {
    if (token == name) return fmt::format("found \"{}\": {}", token, why);
  }
  std::vector<std::string> all = names.variables;
  for (const auto& constant : names.constants) all.push_back(constant.first);
  return fmt::format(
      "found \"{}\", which is no number, operator or name: known here are {}; functions with (): "
      "{}",
      token, fmt::join(all, ", "), fmt::join(function_names(), ", "));
}

constexpr std::pair<mu::EErrorCodes, const char*> reasons[]{
    {mu::ecUNEXPECTED_EOF, "found the end, must be another value: complete the formula"},
    {mu::ecMISSING_PARENS, "missing: a closing parenthesis"},
    {mu::ecUNEXPECTED_PARENS, "found a parenthesis that fits none"},
    {mu::ecTOO_MANY_PARAMS, "found too many values in the parentheses of a function: remove some"},
    {mu::ecTOO_FEW_PARAMS, "found too few values in the parentheses of a function: add some"},
    {mu::ecUNEXPECTED_ARG_SEP, comma_outside},
    {mu::ecUNEXPECTED_ARG, comma_outside},
    {mu::ecMISSING_ELSE_CLAUSE, "missing: a colon and a second value for ?, as in x < 1 ? 2 : 3"}};

std::string reason(mu::EErrorCodes code, const std::string& token, const Names& names) {
  if (code == mu::ecUNASSIGNABLE_TOKEN) return unknown(token, names);
  for (const auto& [known_code, text] : reasons) {
    if (code == known_code) return text;
  }
  const bool value =
      code == mu::ecUNEXPECTED_VAL || code == mu::ecUNEXPECTED_VAR || code == mu::ecUNEXPECTED_FUN;
  if (value) return fmt::format("found \"{}\", must be an operator before it, such as *", token);
  return fmt::format("found {} at a place where it has no meaning",
                     token.empty() ? "a sign" : "\"" + token + "\"");
}

}  // namespace

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for_each_function([&](const char* name, auto) { all.emplace_back(name); });
    return all;
  }();
  return names;
}

// muParser writes to its stack as it evaluates: one parser for each thread at work.
struct Formula::Evaluator::Parser {
  Parser(const std::string& text, const Names& names) : values(names.variables.size()) {
    parser.ClearFun();
    parser.ClearConst();
    parser.ClearPostfixOprt();
    for_each_function([this](const char* name, auto call) { parser.DefineFun(name, call); });
    for (const auto& [name, value] : names.constants) parser.DefineConst(name, value);
    for (std::size_t i = 0; i < values.size(); ++i) {
      parser.DefineVar(names.variables[i], &values[i]);
    }
    parser.SetExpr(text);
  }

  mu::Parser parser;
  std::vector<double> values;
};

struct Formula::Evaluator::Shared {
  std::string text;
  Names names;
  std::vector<bool> used;
  std::mutex mutex;
  std::vector<std::unique_ptr<Parser>> idle;
};

Formula::Formula(const std::string& text, const Names& names)
    : shared_(std::make_shared<Evaluator::Shared>()) {
  check_characters(text);
  shared_->text = text;
  shared_->names = names;
  auto first = std::make_unique<Evaluator::Parser>(text, names);
  try {
    first->parser.Eval();
    if (first->parser.GetNumResults() != 1) {
      refuse(text, text.find(','), "found a comma outside of a function: a formula is one value");
    }
    for (const std::string& name : names.variables) {
      shared_->used.push_back(first->parser.GetUsedVar().contains(name));
    }
  } catch (const mu::ParserError& error) {
    const auto at =
        static_cast<std::size_t>(std::clamp(error.GetPos(), 0, static_cast<int>(text.size())));
    std::string token = error.GetToken();
    token.resize(token.find_last_not_of(" \t\n\r") + 1);  // muParser counts spaces to some
    refuse(text, at, reason(error.GetCode(), around(token, 0), names));
  }
  shared_->idle.push_back(std::move(first));
}

bool Formula::uses(std::size_t variable) const { return shared_->used[variable]; }

Formula::Evaluator::Evaluator(const Formula& formula) : shared_(formula.shared_) {
  const std::scoped_lock lock(shared_->mutex);
  if (!shared_->idle.empty()) {
    parser_ = std::move(shared_->idle.back());
    shared_->idle.pop_back();
    return;
  }
  // Under the lock: muParser has static data.
  parser_ = std::make_unique<Parser>(shared_->text, shared_->names);
}

Formula::Evaluator::Evaluator(Evaluator&&) noexcept = default;

Formula::Evaluator::~Evaluator() {
  if (!parser_) return;
  const std::scoped_lock lock(shared_->mutex);
  shared_->idle.push_back(std::move(parser_));
}

double Formula::Evaluator::operator()(std::span<const double> values) {
  std::copy(values.begin(), values.end(), parser_->values.begin());
  const double value = parser_->parser.Eval();
  return std::fpclassify(value) == FP_SUBNORMAL ? 0.0 : value;
}

}  // namespace lbm::formula
