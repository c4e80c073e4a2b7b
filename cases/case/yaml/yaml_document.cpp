#include "cases/case/yaml/yaml_document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <sstream>
#include <vector>

#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Collects where each document starts.
class DocumentStarts : public YAML::EventHandler {
 public:
  std::vector<int> lines;

  void OnDocumentStart(const YAML::Mark& mark) override { lines.push_back(mark.line + 1); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// Finds a second document: YAML::Load ignores it, and YAML::LoadAll loops forever on ", 8"
// (yaml-cpp 0.7).
void refuse_second_document(const std::string& text, const Source& source) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.lines.size() < 2 && parser.HandleNextDocument(starts)) {
  }
  if (starts.lines.size() < 2) return;
  const std::string place = source.override_text.empty()
                                ? fmt::format("{}:{}", source.file, starts.lines[1])
                                : "--set " + one_line(source.override_text, 100);
  throw UsageError(place + ": found text after the end of the YAML document, must be one document");
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

YAML::Node load_one(const std::string& text, const Source& source) {
  try {
    refuse_second_document(text, source);
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    not_yaml(source, error);
  }
}

}  // namespace lbm::cases
