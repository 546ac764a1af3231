#include "lazylogit/io/label_dictionary.hpp"

#include <gtest/gtest.h>

namespace lazylogit::io {
namespace {

TEST(LabelDictionary, numbers_are_parsed_and_nothing_else_is_taken) {
  LabelDictionary labels;
  labels.set_response(data::Response::number);
  EXPECT_EQ(labels.number(*labels.intern("1.5")), 1.5);
  EXPECT_EQ(labels.number(*labels.intern(" -2e3 ")), -2000);
  for (const char* bad : {"", "abc", "nan", "inf", "1e999", "0x10", "1,5", "1 2"})
    EXPECT_FALSE(labels.intern(bad)) << bad;
}

TEST(LabelDictionary, sets_are_split_at_commas_and_made_canonical) {
  LabelDictionary labels;
  labels.set_response(data::Response::labels);
  EXPECT_EQ(labels.canonical(*labels.intern("b, a")), "b,a");
  EXPECT_EQ(labels.canonical(*labels.intern("+1,2.0")), "1,2");
  EXPECT_EQ(labels.canonical(*labels.intern("")), "");
  EXPECT_EQ(labels.intern("b, a"), labels.intern("b, a"));
  for (const char* bad : {"a,a", "1,1.0", "a,,b", ",a", "a,", ","}) EXPECT_FALSE(labels.intern(bad)) << bad;
}

TEST(LabelDictionary, blanks_alone_are_no_class) {
  LabelDictionary labels;
  for (const char* blank : {"", " ", "\t "}) EXPECT_FALSE(labels.intern(blank)) << '"' << blank << '"';
  EXPECT_EQ(labels.canonical(*labels.intern(" a")), " a");
}

TEST(LabelDictionary, the_empty_set_has_no_labels) {
  EXPECT_TRUE(labels_of_set("").empty());
  EXPECT_EQ(labels_of_set("a"), (std::vector<std::string_view>{"a"}));
  EXPECT_EQ(labels_of_set("b,a c"), (std::vector<std::string_view>{"b", "a c"}));
}

}  // namespace
}  // namespace lazylogit::io
