// Models of numbers and of label sets in files.
#include <gtest/gtest.h>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::model {
namespace {

Model model_of(data::Response response, std::vector<std::string> outputs) {
  Model model;
  model.shape = {.num_features = 2, .num_classes = outputs.size(), .response = response};
  model.classes = data::ClassTable::from_ordered(std::move(outputs));
  model.features.append("a");
  model.features.append("b");
  model.features.build_index();
  model.input.response = response;
  model.coefficients.assign(model.shape.size(), 0.0);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t v = 0; v < model.shape.num_vectors(); ++v)
      model.coefficients[model.shape.index(i, v)] = 1 + static_cast<double>(i) - 2 * static_cast<double>(v);
  model.record.prior = "gaussian";
  return model;
}

Model reread(const std::string& bytes) { return deserialize({bytes.data(), bytes.size()}, "m"); }

data::Rows one_row() {
  data::Rows rows;
  rows.x.ids.push_back(0);
  rows.x.ids.push_back(1);
  rows.x.row_offsets.push_back(2);
  rows.x.num_features = 2;
  return rows;
}

TEST(ResponseModel, a_number_comes_back_and_predicts_its_score) {
  const std::string bytes = serialize(model_of(data::Response::number, {"price"}));
  const Model model = reread(bytes);
  EXPECT_EQ(model.shape.response, data::Response::number);
  EXPECT_EQ(model.input.response, data::Response::number);
  EXPECT_EQ(serialize(model), bytes);
  data::Rows rows = one_row();
  Predictions predictions;
  Predictor(model).predict(rows, Predictor::Detail::decisions, predictions);
  EXPECT_EQ(predictions.numbers[0], 1 + 2 + 3);
  EXPECT_TRUE(predictions.best.empty());
  rows.offsets.push_back(0.5);
  Predictor(model).predict(rows, Predictor::Detail::decisions, predictions);
  EXPECT_EQ(predictions.numbers[0], 6.5);
}

TEST(ResponseModel, labels_come_back_and_predict_a_probability_each) {
  const std::string bytes = serialize(model_of(data::Response::labels, {"x", "y", "z"}));
  const Model model = reread(bytes);
  EXPECT_EQ(model.shape.response, data::Response::labels);
  EXPECT_EQ(serialize(model), bytes);
  Predictions predictions;
  Predictor(model).predict(one_row(), Predictor::Detail::decisions, predictions);
  ASSERT_EQ(predictions.probabilities.size(), 3U);
  EXPECT_GT(predictions.probabilities[0], 0.99);  // score 6
  EXPECT_EQ(predictions.probabilities[1], 0.5);   // score 0: labels do not share what there is
  EXPECT_LT(predictions.probabilities[2], 0.01);
}

TEST(ResponseModel, readers_that_know_classes_alone_find_none) {
  for (const data::Response response : {data::Response::number, data::Response::labels}) {
    const std::string bytes = serialize(model_of(response, {"x"}));
    EXPECT_EQ(bytes.find("num_classes"), std::string::npos);
    EXPECT_NE(bytes.find("num_outputs"), std::string::npos);
  }
  const Model one = model_of(data::Response::labels, {"x"});
  EXPECT_EQ(reread(serialize(one)).classes.label(0), "x");
}

}  // namespace
}  // namespace lazylogit::model
