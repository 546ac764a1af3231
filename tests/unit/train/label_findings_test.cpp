#include "lazylogit/train/label_findings.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "lazylogit/data/dense_rows.hpp"

namespace lazylogit::train {
namespace {

using Names = std::vector<std::string>;

// Rows of dense columns; a column of the input for each name.
data::Dataset make_data(const Names& names, const std::vector<std::vector<double>>& rows,
                        const std::vector<ClassId>& labels, std::size_t num_classes) {
  data::Dataset data;
  for (const std::string& name : names) data.features.append(name);
  Buffer<double> values;
  for (const auto& row : rows) values.append(row);
  data.x = data::sparse_from_dense(std::move(values), rows.size(), names.size());
  for (const ClassId label : labels) data.labels.push_back(label);
  Names classes;
  for (std::size_t c = 0; c < num_classes; ++c) classes.push_back("c" + std::to_string(c));
  data.classes = data::ClassTable::from_ordered(classes);
  return data;
}

// `repeats` times the rows and labels.
data::Dataset repeated(const Names& names, const std::vector<std::vector<double>>& rows,
                       const std::vector<ClassId>& labels, std::size_t num_classes, int repeats) {
  std::vector<std::vector<double>> all_rows;
  std::vector<ClassId> all_labels;
  for (int k = 0; k < repeats; ++k) {
    all_rows.insert(all_rows.end(), rows.begin(), rows.end());
    all_labels.insert(all_labels.end(), labels.begin(), labels.end());
  }
  return make_data(names, all_rows, all_labels, num_classes);
}

TEST(LabelFindings, ACopyOfTheLabelIsNamedInSmallDataToo) {
  const std::vector<std::vector<double>> rows{{1, 3, 0.5}, {0, 3, 0.7}, {1, 4, 0.1}, {0, 4, 0.9}};
  EXPECT_EQ(suspect_features(repeated({"copy", "x", "z"}, rows, {1, 0, 1, 0}, 2, 2), {}).copies,
            (Names{"copy"}));
  EXPECT_EQ(suspect_features(repeated({"copy", "x", "z"}, rows, {1, 0, 1, 0}, 2, 1), {}).copies,
            (Names{}));  // chance
  // z tells the classes apart too, but has many values: from 20 rows on.
  EXPECT_EQ(suspect_features(repeated({"copy", "x", "z"}, rows, {1, 0, 1, 0}, 2, 5), {}).copies,
            (Names{"copy", "z"}));
}

TEST(LabelFindings, RangesOfSeveralClassesMustNotMeet) {
  const std::vector<std::vector<double>> rows{{0, 1}, {5, 2}, {7, 2}, {0, 1}, {5, 3}, {7, 1}};
  EXPECT_EQ(suspect_features(repeated({"code", "x"}, rows, {0, 1, 2, 0, 1, 2}, 3, 2), {}).copies,
            (Names{"code"}));
}

TEST(LabelFindings, CategoriesOfAColumnAreTakenTogether) {
  const std::vector<std::vector<double>> rows{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  data::Dataset data = repeated({"city=a", "city=b", "city=c", "city=d"}, rows, {0, 1, 2, 0}, 3, 10);
  data.input.kind = data::InputKind::columns;
  data.input.columns = {{.name = "city", .type = data::ColumnType::categorical}};
  EXPECT_EQ(suspect_features(data, {}).copies, (Names{"city"}));
  data.labels[3] = 1;  // "d" now has two classes
  EXPECT_EQ(suspect_features(data, {}).copies, (Names{}));
  std::vector<double> weights(data.num_rows(), 1.0);
  weights[3] = 0;
  EXPECT_EQ(suspect_features(data, weights).copies, (Names{"city"}));
}

TEST(LabelFindings, FeaturesThatAreTheSameInEveryRowAreNamed) {
  EXPECT_EQ(
      suspect_features(make_data({"one", "x", "gap"}, {{1, 2, 5}, {1, 3, 5}, {1, 2, 0}}, {0, 1, 1}, 2), {})
          .constants,
      (Names{"one"}));
}

TEST(LabelFindings, ClassesOfFewRowsAreNamed) {
  std::vector<ClassId> labels(40, 0);
  labels[3] = labels[9] = labels[20] = 1;
  const std::string sentence =
      rare_classes(make_data({"x"}, std::vector<std::vector<double>>(40, {1.0}), labels, 2), {});
  EXPECT_NE(sentence.find("\"c1\" (3)"), std::string::npos) << sentence;
  EXPECT_EQ(rare_classes(make_data({"x"}, std::vector<std::vector<double>>(8, {1.0}),
                                   std::vector<ClassId>{0, 0, 0, 0, 0, 0, 1, 1}, 2),
                         {}),
            "");
}

// A row for each label, `repeats` times.
data::Dataset labelled(const Names& labels, int repeats) {
  std::vector<ClassId> ids;
  for (int k = 0; k < repeats; ++k)
    for (std::size_t c = 0; c < labels.size(); ++c) ids.push_back(static_cast<ClassId>(c));
  data::Dataset data = make_data({"x"}, std::vector<std::vector<double>>(ids.size(), {1.0}), ids, 1);
  data.classes = data::ClassTable::from_ordered(labels);
  return data;
}

Names numbers(int count, const std::function<std::string(int)>& text) {
  Names names;
  for (int i = 0; i < count; ++i) names.push_back(text(i));
  return names;
}

TEST(LabelFindings, ManyNumbersThatNumberNoClassesAreAQuantity) {
  const auto plain = [](int i) { return std::to_string(i); };
  const auto fraction = [](int i) { return std::to_string(i) + ".25"; };
  const auto wide = [](int i) { return std::to_string(1000 + 37 * i); };
  EXPECT_EQ(quantity_labels(labelled(numbers(40, fraction), 1), {}),
            "the labels are 40 different numbers in 40 rows, each of them a class: a quantity?");
  EXPECT_NE(quantity_labels(labelled(numbers(40, fraction), 10), {}), "");
  EXPECT_NE(quantity_labels(labelled(numbers(40, wide), 2), {}), "");
  EXPECT_NE(quantity_labels(labelled(numbers(40, plain), 1), {}), "");
  EXPECT_EQ(quantity_labels(labelled(numbers(40, plain), 3), {}), "");  // codes of classes
  EXPECT_EQ(quantity_labels(labelled(numbers(40, wide), 10), {}), "");
  EXPECT_EQ(quantity_labels(labelled(numbers(10, fraction), 1), {}), "");
  EXPECT_EQ(quantity_labels(labelled(numbers(40, [](int i) { return "c" + std::to_string(i); }), 1), {}), "");
}

TEST(LabelFindings, HardlyFewerNamesThanRowsAreNoClasses) {
  const auto name = [](int i) { return "name " + std::to_string(i); };
  EXPECT_EQ(distinct_labels(labelled(numbers(40, name), 1), {}),
            "the labels are 40 different names in 40 rows, each of them a class: identifiers, or texts?");
  EXPECT_EQ(distinct_labels(labelled(numbers(40, name), 2), {}), "");
  EXPECT_EQ(distinct_labels(labelled(numbers(19, name), 1), {}), "");
}

}  // namespace
}  // namespace lazylogit::train
