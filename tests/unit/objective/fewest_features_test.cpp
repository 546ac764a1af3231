#include "lazylogit/objective/fewest_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lazylogit/base/random.hpp"

namespace lazylogit::objective {
namespace {

// Dense rows of a random table whose labels a test sets; no prior.
struct Table {
  data::SparseMatrix x;
  Buffer<double> values;
  std::vector<ClassId> labels;
  std::vector<double> weights;
  std::optional<prior::PriorTable> prior;
  Problem problem;

  template <class Label>
  Table(std::size_t rows, std::size_t features, const Label& label, model::Shape shape = {}) {
    Random random(7);
    shape.num_features = features;
    if (shape.num_classes == 0) shape.num_classes = 2;
    if (shape.num_classes == 2) shape.reference = ClassId{0};
    for (std::size_t j = 0; j < rows; ++j) {
      std::vector<double> row(features);
      for (double& value : row) value = random.normal();
      labels.push_back(label(row, random));
      for (std::size_t i = 0; i < features; ++i) {
        x.ids.push_back(static_cast<FeatureId>(i));
        values.push_back(double{row[i]});
      }
      x.row_offsets.push_back(x.ids.size());
    }
    x.values = std::move(values);
    x.num_features = features;
    prior.emplace(prior::Uniform{}, 0, shape.size());
    problem = {.x = &x, .labels = labels, .shape = shape, .prior = &*prior};
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  std::vector<std::uint8_t> free() const { return free_coordinates(problem); }
  std::vector<std::size_t> features_of(const Separation& separation) const {
    auto features = features_by_share(problem, free(), separation.direction);
    std::sort(features.begin(), features.end());
    return features;
  }
};

using Features = std::vector<std::size_t>;

Separation along(const Table& table, std::initializer_list<std::pair<std::size_t, double>> entries,
                 bool complete) {
  Separation separation{complete, math::Vector(table.problem.shape.size(), 0.0)};
  for (const auto& [at, b] : entries) separation.direction[at] = b;
  return separation;
}

TEST(fewest_features, copies_and_bystanders_are_left_out) {
  // Feature 1 is twice feature 0; the rest is noise that takes part in the direction a little.
  const Table table(60, 8, [](std::vector<double>& row, Random&) {
    row[1] = 2 * row[0];
    return row[0] > 0.1 ? 1 : 0;
  });
  const auto few = with_fewest_features(
      table.problem, table.free(),
      along(table, {{0, 0.4}, {1, 1}, {2, 1e-3}, {5, -1e-3}, {7, 1e-4}, {8, -0.2}}, true));
  EXPECT_TRUE(few.complete);
  EXPECT_EQ(table.features_of(few), Features{1});
  EXPECT_TRUE(complete_separation(table.problem, table.free(), few.direction));
}

TEST(fewest_features, all_that_are_needed_together_stay) {
  const Table table(300, 12, [](std::vector<double>& row, Random&) {
    row[11] = row[2] + row[5];
    const double score = row[2] - row[5] + row[9];
    row[9] += score > 0 ? 0.05 : -0.05;  // apart by some margin
    return score > 0 ? 1 : 0;
  });
  Separation all{true, math::Vector(table.problem.shape.size(), 1e-6)};
  all.direction[2] = all.direction[9] = 1;
  all.direction[5] = -1;
  const auto few = with_fewest_features(table.problem, table.free(), all);
  EXPECT_TRUE(few.complete);
  EXPECT_EQ(table.features_of(few), (Features{2, 5, 9}));
}

TEST(fewest_features, few_are_found_among_more_than_a_search_takes) {
  // The first feature separates; the direction is one of all 2500, and separates only by all of them.
  const Table table(150, 2500, [](std::vector<double>& row, Random& random) {
    const int label = random.uniform() < 0.5 ? 1 : 0;
    row[0] = (label == 1 ? 3 : -3) + 0.1 * row[0];
    return label;
  });
  Separation all{true, math::Vector(table.problem.shape.size(), 0.0)};
  for (std::size_t i = 0; i < 2500; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < table.labels.size(); ++j)
      sum += (table.labels[j] == 1 ? 1 : -1) * table.x.value(j * 2500 + i);
    all.direction[i] = sum > 0 ? 1 : -1;
  }
  all.direction[0] = 0.4;  // among the first, but not enough at this size
  ASSERT_TRUE(complete_separation(table.problem, table.free(), all.direction));
  const auto few = with_fewest_features(table.problem, table.free(), all);
  EXPECT_TRUE(few.complete);
  EXPECT_EQ(table.features_of(few), Features{0});
}

TEST(fewest_features, a_quasi_complete_separation_needs_no_more_than_some_row) {
  // Two features of one class alone, and noise that decides nothing: the one that is said to move more is kept.
  const Table table(200, 4, [](std::vector<double>& row, Random& random) {
    const int label = random.uniform() < 0.5 ? 1 : 0;
    row[1] = label == 1 && random.uniform() < 0.2 ? 1 : 0;
    row[3] = label == 1 && random.uniform() < 0.2 ? 1 : 0;
    return label;
  });
  const auto few = with_fewest_features(table.problem, table.free(), along(table, {{1, 0.5}, {3, 1}}, false));
  EXPECT_FALSE(few.complete);
  EXPECT_EQ(table.features_of(few), Features{3});
}

TEST(fewest_features, what_turns_out_to_be_complete_is_said_to_be) {
  const Table table(50, 2, [](std::vector<double>& row, Random&) {
    row[1] = row[0] > 1 ? 1 : 0;
    return row[0] > 0 ? 1 : 0;
  });
  const auto few =
      with_fewest_features(table.problem, table.free(), along(table, {{0, 1e-3}, {1, 1}}, false));
  EXPECT_TRUE(few.complete);
  EXPECT_EQ(table.features_of(few), Features{0});
}

TEST(fewest_features, without_an_intercept_a_constant_is_a_feature_like_others) {
  const Table table(60, 3,
                    [](std::vector<double>& row, Random&) {
                      row[1] = 1;
                      return row[0] > 0.5 ? 1 : 0;
                    },
                    {.num_classes = 2, .has_intercept = false});
  const auto few =
      with_fewest_features(table.problem, table.free(), along(table, {{0, 1}, {1, -0.5}, {2, 1e-5}}, true));
  EXPECT_EQ(table.features_of(few), (Features{0, 1}));
}

TEST(fewest_features, of_large_numbers_the_intercept_is_told_apart) {
  const Table table(60, 3, [](std::vector<double>& row, Random&) {
    const int label = row[0] > 0 ? 1 : 0;
    for (double& value : row) value = 1.6e9 + 1e4 * value;
    return label;
  });
  const auto few = with_fewest_features(table.problem, table.free(),
                                        along(table, {{0, 1e-9}, {1, 1e-15}, {3, -1.6 - 1.6e-6}}, true));
  EXPECT_TRUE(few.complete);
  EXPECT_EQ(table.features_of(few), Features{0});
}

TEST(fewest_features, rows_of_weight_0_do_not_count) {
  Table table(60, 3, [](std::vector<double>& row, Random&) { return row[0] > 0 ? 1 : 0; });
  table.labels[3] = 1 - table.labels[3];
  table.weights.assign(60, 1.0);
  table.weights[3] = 0;
  table.problem.labels = table.labels;
  table.problem.weights = table.weights;
  const auto few = with_fewest_features(table.problem, table.free(), along(table, {{0, 1}, {1, 1e-7}}, true));
  EXPECT_EQ(table.features_of(few), Features{0});
}

TEST(fewest_features, of_one_label_among_several) {
  Table table(80, 4, [](std::vector<double>& row, Random&) { return row[2] > 0 ? 1 : 0; });
  data::LabelSets sets;
  for (std::size_t j = 0; j < table.labels.size(); ++j) {
    std::vector<ClassId> own;
    if (j % 3 == 0) own.push_back(0);
    if (table.labels[j] == 1) own.push_back(1);
    sets.push_back(own);
  }
  model::Shape& shape = table.problem.shape;
  shape.reference.reset();
  shape.response = data::Response::labels;
  table.prior.emplace(prior::Uniform{}, 0, shape.size());
  table.problem.prior = &*table.prior;
  table.problem.label_sets = &sets;
  const auto few = with_fewest_features(
      table.problem, table.free(), along(table, {{shape.index(2, 1), 1}, {shape.index(0, 1), 1e-9}}, true));
  EXPECT_EQ(table.features_of(few), Features{2});
  EXPECT_EQ(separated_class(table.problem, few.direction), 1);
}

TEST(fewest_features, more_coefficients_than_a_matrix_takes_are_cut_down_first) {
  const Table table(40, 1500, [](std::vector<double>& row, Random&) {
    row[0] *= 100;
    return row[0] > 0 ? 1 : 0;
  });
  Separation all{true, math::Vector(table.problem.shape.size(), 1e-6)};
  all.direction[0] = 1;
  all.direction[table.problem.shape.intercept_index(0)] = 0;
  EXPECT_EQ(table.features_of(with_fewest_features(table.problem, table.free(), all)), Features{0});
}

TEST(fewest_features, an_interruption_leaves_what_separates) {
  const Table table(60, 8, [](std::vector<double>& row, Random&) { return row[0] > 0.1 ? 1 : 0; });
  const auto given = along(table, {{0, 1}, {1, 1e-9}, {8, -0.1}}, true);
  for (int after = 0; after < 30; after += 3) {
    int asked = 0;
    const auto few =
        with_fewest_features(table.problem, table.free(), given, [&] { return ++asked > after; });
    EXPECT_TRUE(few.complete);
    EXPECT_LE(table.features_of(few).size(), 2u);
  }
}

}  // namespace
}  // namespace lazylogit::objective
