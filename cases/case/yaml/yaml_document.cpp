// SPDX-License-Identifier: Apache-2.0
#include "cases/case/yaml/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Deeper than any key needs.
constexpr std::size_t max_levels = 64;
// Brackets that nothing closes, also in texts and comments. yaml-cpp keeps 250 bytes for each
// before it reports the first.
constexpr int max_open_brackets = 10'000;

// Where a message says the text is: the file and line, the --set, or the code.
std::string place_of(const TextSource& source, int line) {
  if (!source.override_text.empty()) return "--set " + one_line(source.override_text, 100);
  return source.file.empty() ? "case" : fmt::format("{}:{}", source.file, line);
}

std::string too_deep() {
  return fmt::format(
      "found lists or maps nested more than {} levels deep, must be fewer: is a "
      "bracket not closed?",
      max_levels);
}

void refuse_many_brackets(const std::string& text, const TextSource& source) {
  int line = 1;
  int open = 0;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '[' || c == '{') ++open;
    if (c == ']' || c == '}') open = std::max(open - 1, 0);
    if (open > max_open_brackets) {
      throw UsageError(place_of(source, line) + ": " + too_deep());
    }
  }
}

// Judges the structure of a text before any of it is stored: one document, of bounded depth and
// size. An anchor counts wherever it is used, so that a short text cannot mean a long one.
class StructureCheck : public YAML::EventHandler {
 public:
  StructureCheck(const TextSource& source, std::size_t max_nodes)
      : source_(source), max_nodes_(max_nodes) {}
  int documents() const { return documents_; }

  // YAML::Load ignores a second document, and YAML::LoadAll loops forever on ", 8" (yaml-cpp 0.7).
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(mark, "found text after the end of the YAML document, must be one document");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(mark, anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    for (const Open& open : open_) {
      if (open.anchor == anchor) refuse(mark, "found an anchor used inside itself, must be finite");
    }
    count(mark, sizes_[anchor]);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string&) override {
    leaf(mark, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(mark, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(mark, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    YAML::anchor_t anchor;     // 0: none
    std::uint64_t nodes_then;  // before this one
  };

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) const {
    throw UsageError(place_of(source_, mark.line + 1) + ": " + what);
  }

  void count(const YAML::Mark& mark, std::uint64_t nodes) {
    nodes_ += nodes;
    if (nodes_ <= max_nodes_) return;
    refuse(mark, fmt::format("found more than {} keys and values, those of anchors counted "
                             "wherever they are used, must be fewer: read bodies from STL files, "
                             "and give places of probes as lines",
                             max_nodes_));
  }

  void begin(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (open_.size() >= max_levels) refuse(mark, too_deep());
    open_.push_back({anchor, nodes_});
    count(mark, 1);
  }

  void end() {
    if (open_.back().anchor != 0) sizes_[open_.back().anchor] = nodes_ - open_.back().nodes_then;
    open_.pop_back();
  }

  void leaf(const YAML::Mark& mark, YAML::anchor_t anchor) {
    count(mark, 1);
    if (anchor != 0) sizes_[anchor] = 1;
  }

  const TextSource& source_;
  std::size_t max_nodes_;
  int documents_ = 0;
  std::uint64_t nodes_ = 0;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, std::uint64_t> sizes_;
};

void check_structure(const std::string& text, const TextSource& source, std::size_t max_nodes) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  StructureCheck check(source, max_nodes);
  while (check.documents() < 2 && parser.HandleNextDocument(check)) {
  }
}

// The first character that looks like one of ASCII: a space, minus, quote or letter of another
// kind.
std::optional<unsigned> look_alike(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto byte = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) & 0x3fU : 0U;
    };
    const auto first = static_cast<unsigned char>(text[i]);
    const unsigned code = first >= 0xe0   ? (first & 0xfU) << 12 | byte(1) << 6 | byte(2)
                          : first >= 0xc2 ? (first & 0x1fU) << 6 | byte(1)
                                          : 0;
    const bool punctuation = code >= 0x2000 && code <= 0x206f;
    const bool wide = code >= 0xff01 && code <= 0xff5e;
    if (punctuation || wide || code == 0xa0 || code == 0x2212 || code == 0x3000 || code == 0xfeff) {
      return code;
    }
  }
  return std::nullopt;
}

std::string odd_characters(std::string_view text) {
  if (const auto code = look_alike(text)) {
    return fmt::format(
        "; there is U+{:04X}, which only looks like a plain character or a space: "
        "type it anew, or remove it",
        *code);
  }
  const std::size_t quote = text.find('"');
  if (quote == std::string_view::npos || text.find('\\', quote) == std::string_view::npos)
    return "";
  return "; in double quotes \\ begins an escape: write / in paths, or use single quotes";
}

// Line `number`, from 1, without its comment.
std::string_view line_of(std::string_view text, std::size_t number) {
  for (std::size_t i = 1; i < number; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.substr(0, line.find(" #"));
}

}  // namespace

std::string odd_characters_at(const std::string& message, const std::string& text,
                              const std::string& file) {
  if (message.starts_with("--set ")) return odd_characters(message);
  if (!message.starts_with(file + ":")) return "";
  std::size_t line = 0;
  std::from_chars(message.data() + file.size() + 1, message.data() + message.size(), line);
  if (line == 0) return "";
  for (const std::size_t near : {line, line + 1, line - 1}) {
    std::string found = near > 0 ? odd_characters(line_of(text, near)) : "";
    if (!found.empty()) return found;
  }
  return "";
}

void refuse_odd_bytes(const std::string& text, const std::string& file) {
  int line = 1;
  bool indent = true;
  bool tab = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) {
      throw UsageError(fmt::format("{}:{}: found byte 0x{:02x}, must be YAML in UTF-8 text", file,
                                   line, static_cast<unsigned>(byte)));
    }
    if (c == '\n') {
      ++line;
      indent = true;
      tab = false;
    } else if (indent && (c == '\t' || c == ' ')) {
      tab = tab || c == '\t';
    } else {
      if (indent && tab && c != '#' && c != '\r') {
        throw UsageError(
            fmt::format("{}:{}: found a tab, must be indented with spaces", file, line));
      }
      indent = false;
    }
  }
}

void not_yaml(const TextSource& source, const YAML::Exception& error) {
  const std::string reason = one_line(error.msg);
  if (!source.override_text.empty()) {
    throw UsageError(
        fmt::format("--set {}: the value is not YAML: {}", one_line(source.override_text), reason));
  }
  const std::string place = error.mark.is_null()
                                ? std::string()
                                : fmt::format("{}:{}:", error.mark.line + 1, error.mark.column + 1);
  throw UsageError(
      fmt::format("{}:{} not YAML: {}; must be lines of `key: value`, indented with spaces",
                  source.file, place, reason));
}

YAML::Node load_one(const std::string& text, const TextSource& source, std::size_t max_nodes) {
  try {
    refuse_many_brackets(text, source);
    check_structure(text, source, max_nodes);
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    not_yaml(source, error);
  }
}

}  // namespace lbm::cases
