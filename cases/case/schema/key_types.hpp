// Value types of the key table. Each function makes a Key whose reader, writer and texts come from
// the same range. `access` is a generic lambda that returns the member of the Case.
#pragma once

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_types {

// Documentation of a Key, without its type.
struct Texts {
  std::string path;
  std::string default_text;
  std::string doc;
};

// Whether the word `auto` is allowed; requires a std::optional member.
enum class Auto { no, yes };

struct WholeRange {
  std::int64_t min;
  std::int64_t max;
  Auto or_auto = Auto::no;
};

template <class T>
using Words = std::vector<std::pair<std::string, T>>;

inline bool is_auto(const YAML::Node& node) { return node.IsScalar() && node.Scalar() == "auto"; }

inline Key key_of(const Texts& texts, std::string type, std::string allowed) {
  return Key{
      texts.path, texts.path, std::move(type), texts.default_text, std::move(allowed), texts.doc,
      {},         {}};
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Calls text_of with the value of a plain or optional member.
template <class Member, class TextOf>
std::string write_member(const Member& member, Auto or_auto, TextOf text_of) {
  if constexpr (IsOptional<Member>::value) {
    if (!member) return or_auto == Auto::yes ? "auto" : "";
    return text_of(*member);
  } else {
    return text_of(member);
  }
}

// Resets an optional member if the node is the word `auto`; otherwise returns false.
template <class Member>
bool read_auto(const YAML::Node& node, Auto or_auto, Member& member) {
  if (or_auto == Auto::no || !is_auto(node)) return false;
  if constexpr (IsOptional<Member>::value) member.reset();
  return true;
}

// Open at both ends by default.
struct NumberRange {
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  bool with_lower_end = false;

  bool holds(double value) const {
    return (value > above || (with_lower_end && value == above)) && value < below;
  }
  std::string text() const {
    if (!std::isfinite(above) && !std::isfinite(below)) return "of any size";
    const std::string low =
        std::isfinite(above) ? fmt::format("{} {}", with_lower_end ? ">=" : ">", above) : "";
    const std::string high = std::isfinite(below) ? fmt::format("< {}", below) : "";
    return low.empty() || high.empty() ? low + high : low + " and " + high;
  }
};

inline constexpr NumberRange any_number{};
inline constexpr NumberRange not_negative{0, std::numeric_limits<double>::infinity(), true};

// A finite number.
template <class Access>
Key number(const Texts& texts, NumberRange range, Access access) {
  Key key = key_of(texts, "number", range.text());
  key.read = [=](const YAML::Node& node, Case& out) {
    const auto value = node.IsScalar() ? parse_number(node.Scalar()) : std::nullopt;
    if (!value || !range.holds(*value)) return false;
    access(out) = *value;
    return true;
  };
  key.write = [=](const Case& in) {
    return write_member(access(in), Auto::no, [](double v) { return fmt::format("{}", v); });
  };
  return key;
}

template <class Access>
Key number(const Texts& texts, double above, Access access) {
  return number(texts, NumberRange{.above = above}, access);
}

template <class Member>
struct ValueOf {
  using type = Member;
};
template <class T>
struct ValueOf<std::optional<T>> {
  using type = T;
};

template <class Access>
Key whole(const Texts& texts, WholeRange range, Access access) {
  Key key = key_of(texts, "whole number",
                   fmt::format("from {} to {}{}", range.min, range.max,
                               range.or_auto == Auto::yes ? ", or auto" : ""));
  key.read = [=](const YAML::Node& node, Case& out) {
    auto& member = access(out);
    if (read_auto(node, range.or_auto, member)) return true;
    const auto value = node.IsScalar() ? parse_whole(node.Scalar()) : std::nullopt;
    if (!value || *value < range.min || *value > range.max) return false;
    member = static_cast<typename ValueOf<std::remove_reference_t<decltype(member)>>::type>(*value);
    return true;
  };
  key.write = [=](const Case& in) {
    return write_member(access(in), range.or_auto, [](auto v) { return fmt::format("{}", v); });
  };
  return key;
}

template <class T, class Access>
Key word(const Texts& texts, const Words<T>& words, Access access, Auto or_auto = Auto::no) {
  std::vector<std::string> names;
  if (or_auto == Auto::yes) names.push_back("auto");
  for (const auto& entry : words) names.push_back(entry.first);
  Key key = key_of(texts, "word", fmt::format("{}", fmt::join(names, ", ")));
  key.read = [=](const YAML::Node& node, Case& out) {
    if (read_auto(node, or_auto, access(out))) return true;
    if (!node.IsScalar()) return false;
    for (const auto& [name, value] : words) {
      if (node.Scalar() != name) continue;
      access(out) = value;
      return true;
    }
    return false;
  };
  key.write = [=](const Case& in) {
    return write_member(access(in), or_auto, [&](T value) {
      for (const auto& entry : words) {
        if (entry.second == value) return entry.first;
      }
      return std::string("unknown");
    });
  };
  return key;
}

template <class Access>
Key boolean(const Texts& texts, Access access) {
  Key key = word<bool>(texts, {{"true", true}, {"false", false}}, access);
  key.type = "switch";
  return key;
}

// Bytes or `auto`.
template <class Access>
Key bytes(const Texts& texts, Access access) {
  Key key =
      key_of(texts, "memory", "bytes (8e9), an amount with its unit (8 GB, 512 MiB), or auto");
  key.read = [=](const YAML::Node& node, Case& out) {
    if (read_auto(node, Auto::yes, access(out))) return true;
    const auto value = node.IsScalar() ? parse_bytes(node.Scalar()) : std::nullopt;
    if (!value) return false;
    access(out) = value;
    return true;
  };
  key.write = [=](const Case& in) {
    return write_member(access(in), Auto::yes, [](auto v) { return fmt::format("{}", v); });
  };
  return key;
}

// Text accepted by is_allowed().
template <class Access>
Key text(const Texts& texts, const std::string& allowed, bool (*is_allowed)(const std::string&),
         Access access) {
  Key key = key_of(texts, "text", allowed);
  key.read = [=](const YAML::Node& node, Case& out) {
    if (!node.IsScalar() || !is_allowed(node.Scalar())) return false;
    access(out) = node.Scalar();
    return true;
  };
  key.write = [=](const Case& in) {
    return access(in).empty() ? std::string() : double_quoted(access(in));
  };
  return key;
}

}  // namespace lbm::cases::key_types
