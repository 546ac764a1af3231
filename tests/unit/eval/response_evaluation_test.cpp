// Metrics of numbers and of label sets, by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/eval/label_evaluation.hpp"
#include "lazylogit/eval/number_evaluation.hpp"

namespace lazylogit::eval {
namespace {

data::Rows rows_of(std::size_t count) {
  data::Rows rows;
  for (std::size_t i = 0; i < count; ++i) rows.x.row_offsets.push_back(0);
  return rows;
}

TEST(NumberEvaluation, has_the_errors_of_weighted_rows) {
  data::Rows rows = rows_of(4);
  model::Predictions predictions;
  for (const double y : {1.0, 3.0, 5.0, std::nan("")}) rows.targets.push_back(y);
  for (const double f : {2.0, 3.0, 3.0, 9.0}) predictions.numbers.push_back(f);
  for (const double w : {1.0, 2.0, 1.0, 1.0}) rows.weights.push_back(w);
  NumberEvaluator evaluator;
  evaluator.add(rows, predictions);
  const NumberEvaluation e = evaluator.finish();
  EXPECT_EQ(e.rows, 4U);
  EXPECT_EQ(e.unknown_rows, 1U);
  EXPECT_DOUBLE_EQ(e.weight, 4);
  EXPECT_DOUBLE_EQ(*e.mse, 5.0 / 4);
  EXPECT_DOUBLE_EQ(*e.rmse, std::sqrt(5.0 / 4));
  EXPECT_DOUBLE_EQ(*e.mae, 3.0 / 4);
  EXPECT_DOUBLE_EQ(*e.mean_error, -1.0 / 4);
  EXPECT_DOUBLE_EQ(*e.largest_error, 2);
  EXPECT_DOUBLE_EQ(*e.baseline_rmse, std::sqrt(2.0));  // mean 3, squares 4 + 0 + 4
  EXPECT_DOUBLE_EQ(*e.r2, 1 - 5.0 / 8);
}

TEST(NumberEvaluation, has_no_r2_where_all_labels_are_the_same) {
  data::Rows rows = rows_of(2);
  model::Predictions predictions;
  for (int i = 0; i < 2; ++i) rows.targets.push_back(7), predictions.numbers.push_back(6);
  NumberEvaluator evaluator;
  evaluator.add(rows, predictions);
  EXPECT_FALSE(evaluator.finish().r2);
  EXPECT_FALSE(NumberEvaluator().finish().rmse);
}

TEST(LabelEvaluation, counts_decisions_rows_and_losses) {
  data::Rows rows = rows_of(3);
  rows.label_sets.push_back(std::vector<ClassId>{0, 1});
  rows.label_sets.push_back({});
  rows.label_sets.push_back(std::vector<ClassId>{1});
  const std::vector<double> scores{2, -1, -3, -2, 1, 4};
  LabelEvaluator evaluator(2, 0.5);
  evaluator.add(rows, scores);
  const LabelEvaluation e = evaluator.finish(0);
  EXPECT_DOUBLE_EQ(*e.subset_accuracy, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*e.hamming_loss, 2.0 / 6);        // label 1 missed in row 1, label 0 wrong in row 3
  EXPECT_DOUBLE_EQ(*e.micro_f1, 2 * 2.0 / (3 + 3));  // two hits, three labels, three predictions
  EXPECT_DOUBLE_EQ(*e.macro_f1, 0.5 * (2.0 / 3 + 2.0 / 3));
  const auto loss = [](double s) { return std::log1p(std::exp(-s)); };
  EXPECT_NEAR(*e.log_loss, (loss(2) + loss(-1) + loss(3) + loss(2) + loss(-1) + loss(4)) / 3, 1e-14);
  EXPECT_NEAR(e.labels[0].log_loss, (loss(2) + loss(3) + loss(-1)) / 3, 1e-14);
}

TEST(LabelEvaluation, never_clips_a_loss) {
  data::Rows rows = rows_of(1);
  rows.label_sets.push_back({});
  LabelEvaluator evaluator(1, 0.5);
  evaluator.add(rows, std::vector<double>{800});
  EXPECT_DOUBLE_EQ(*evaluator.finish(0).log_loss, 800);
}

}  // namespace
}  // namespace lazylogit::eval
