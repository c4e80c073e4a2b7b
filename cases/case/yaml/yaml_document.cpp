// SPDX-License-Identifier: Apache-2.0
#include "cases/case/yaml/yaml_document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <unordered_map>
#include <vector>

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
std::string place_of(const Source& source, int line) {
  if (!source.override_text.empty()) return "--set " + one_line(source.override_text, 100);
  return source.file.empty() ? "case" : fmt::format("{}:{}", source.file, line);
}

std::string too_deep() {
  return fmt::format(
      "found lists or maps nested more than {} levels deep, must be fewer: is a "
      "bracket not closed?",
      max_levels);
}

void refuse_many_brackets(const std::string& text, const Source& source) {
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
  StructureCheck(const Source& source, std::size_t max_nodes)
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

  const Source& source_;
  std::size_t max_nodes_;
  int documents_ = 0;
  std::uint64_t nodes_ = 0;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, std::uint64_t> sizes_;
};

void check_structure(const std::string& text, const Source& source, std::size_t max_nodes) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  StructureCheck check(source, max_nodes);
  while (check.documents() < 2 && parser.HandleNextDocument(check)) {
  }
}

}  // namespace

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

void not_yaml(const Source& source, const YAML::Exception& error) {
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

YAML::Node load_one(const std::string& text, const Source& source, std::size_t max_nodes) {
  try {
    refuse_many_brackets(text, source);
    check_structure(text, source, max_nodes);
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    not_yaml(source, error);
  }
}

}  // namespace lbm::cases
