// SPDX-License-Identifier: Apache-2.0

// Templates: values, filters, conditions, loops, comments.
#include "cases/formula/formula.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace lbm::formula {
namespace {

const io::Json values{{"n", 3},          {"flat", true},
                      {"who", "it"},     {"empty", ""},
                      {"none", nullptr}, {"size", {4, 5}},
                      {"bytes", 2048},   {"rows", {{{"name", "a"}, {"v", 1.25}}, {{"name", "b"}}}}};

TEST(Template, FillsChoosesAndAligns) {
  const std::string text =
      "# head of {{ who }}\n{% if flat && n < 3 %}\nno: 1\n{% else %}\n{% include part %}\n{% "
      "endif %}\n"
      "list: [{{ n / 7 | .3g }}, {{ round(2.5) }}]{{ ' # {{ who }}' if flat else 'no' }}\n";
  EXPECT_EQ(rendered(text, values, {{"part", "yes: {a: {{ n }}}  # why\n"}}),
            "# head of it\nyes: {a: 3}                             # why\nlist: [0.429, 3] # it\n");
}

TEST(Template, FollowsPathsAndFilters) {
  EXPECT_EQ(filled("{{ size.1 }} {{ size }} {{ size.0 * size.1 }}", values), "5 4, 5 20");
  EXPECT_EQ(filled("[{{ who | <4 }}{{ n | >3 }}{{ n | >6.1f }}]", values), "[it    3   3.0]");
  EXPECT_EQ(filled("{{ bytes | bytes }}, {{ empty | none }}, {{ none }}", values),
            "2.0 KiB, none, ");
  EXPECT_EQ(filled("{{ 0.25 | seconds }} {{ 7300 | seconds }}", values), "250 ms 2.0 h");
}

TEST(Template, RepeatsForEachItem) {
  const std::string text =
      "{% for row in rows %}\n{{ row.name }}{{ ' {{ row.v }}' if row.v }}\n{% endfor %}\n"
      "{% for row in nothing %}\n{% if row.v %}\n{% endif %}\nnever\n{% endfor %}\nend\n";
  EXPECT_EQ(rendered(text, values), "a 1.25\nb\nend\n");
}

TEST(Template, NamesWithoutAValueAreErrorsButFalse) {
  EXPECT_THROW((void)number("unknown + 1", values), std::logic_error);
  EXPECT_THROW((void)filled("{{ row.v }}", values), std::logic_error);
  EXPECT_THROW((void)number("1 +", values), std::logic_error);
  EXPECT_EQ(rendered("{% if unknown %}\nno\n{% else %}\nyes\n{% endif %}\n", values), "yes\n");
  EXPECT_EQ(number("who + size + none + flat", values), 5);
}

}  // namespace
}  // namespace lbm::formula
