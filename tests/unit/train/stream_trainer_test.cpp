// The way of a streamed model into its file and back.
#include "lazylogit/train/stream_trainer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/train/stream_options.hpp"

namespace lazylogit::train {
namespace {

// Rows of three features; the labels come in an order that is not theirs in the model.
data::Rows make_rows(std::size_t count, ClassId classes, std::size_t num_features) {
  data::Rows rows;
  Buffer<float> values;
  for (std::size_t j = 0; j < count; ++j) {
    for (const std::size_t f : {j % 3, 3 + (j * j) % 5, 9 + j % 2}) {
      rows.x.ids.push_back(static_cast<FeatureId>(f % num_features));
      values.push_back(static_cast<float>(1 + j % 4));
    }
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(static_cast<ClassId>(j % static_cast<std::size_t>(classes)));
  }
  const std::vector<std::string> names{"zebra", "ape", "mouse", "bee"};
  rows.unknown_labels.assign(names.begin(), names.begin() + classes);
  rows.x.values = std::move(values);
  rows.x.num_features = num_features;
  return rows;
}

std::string saved(const StreamTrainer& trainer, const data::Alphabet& features, bool with_state) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lazylogit-stream-" + std::to_string(::getpid()));
  OutputFile out(path.string());
  trainer.save(features, with_state, out);
  out.commit();
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  std::filesystem::remove(path);
  return bytes.str();
}

TEST(StreamTrainer, NamesWeightsOfClassesThatNeverCame) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lazylogit-weights-" + std::to_string(::getpid()));
  std::ofstream(path) << "class,weight\nape,2\nappe,3\n";
  TrainOptions options;
  options.class_weights = path.string();
  const data::InputSpec input;
  StreamTrainer trainer(options, input, 10);
  std::filesystem::remove(path);
  trainer.learn(make_rows(8, 2, 12), 0);
  EXPECT_EQ(trainer.weighted_in_vain(), std::vector<std::string>{"appe"});
}

// Numbers whose score is beyond all numbers: the third row of the second block.
TEST(StreamTrainer, CountsTheRowsBeforeOneThatCannotBeLearned) {
  TrainOptions options;
  options.optimizer = "sgd";
  options.prior = "uniform";
  options.learning_rate = 1000;
  options.intercept = false;
  const data::InputSpec input;
  StreamTrainer trainer(options, input, 10), expected(options, input, 10);
  data::Rows rows = make_rows(4, 2, 12);
  trainer.learn(rows, 0);
  expected.learn(rows, 0);
  rows = {};
  rows.x.ids = Buffer<FeatureId>(6, 11);
  rows.x.row_offsets.clear();
  for (std::size_t j = 0; j <= 6; ++j) rows.x.row_offsets.push_back(j);
  Buffer<double> values(6, 0.01);
  values[2] = 1.7e308;
  rows.x.values = std::move(values);
  for (std::size_t j = 0; j < 6; ++j) rows.labels.push_back(j == 2 ? 1 : 0);
  rows.labels.data()[5] = 2;
  rows.unknown_labels = {"mouse"};
  rows.x.num_features = 12;
  std::size_t seen = 0;
  EXPECT_THROW(trainer.learn(rows, 0, [&](const optim::RowOutcome&, double) { ++seen; }), InputError);
  EXPECT_EQ(seen, 2u);
  EXPECT_EQ(trainer.num_rows(), 6u);
  EXPECT_EQ(trainer.progressive().count(), 6u);
  EXPECT_EQ(trainer.labels().size(), 2u);
  data::Alphabet names;
  for (int f = 0; f < 12; ++f) names.append(std::to_string(f));
  data::Rows first_two = rows;
  first_two.x.ids.resize(2);
  first_two.x.row_offsets.resize(3);
  first_two.labels.resize(2);
  first_two.unknown_labels.clear();
  expected.learn(first_two, 0);
  EXPECT_EQ(saved(trainer, names, true), saved(expected, names, true));
}

TEST(StreamTrainer, WritesWhatSerializeWouldWrite) {
  for (const char* optimizer : {"adagrad", "perceptron", "adf"})
    for (const ClassId classes : {2, 4})
      for (const bool hashed : {false, true}) {
        TrainOptions options;
        options.optimizer = optimizer;
        data::InputSpec input;
        if (hashed) input.hash_bits = 8;
        data::Alphabet names;
        for (int f = 0; f < 12; ++f) names.append(std::to_string(f));  // one more than is known yet
        StreamTrainer trainer(options, input, 10);
        trainer.learn(make_rows(50, classes, 11), 0);
        for (const bool with_state : {true, false}) {
          const std::string bytes = saved(trainer, names, with_state);
          const model::Model model = model::deserialize(bytes, "memory");
          EXPECT_EQ(model.state.has_value(), with_state);
          EXPECT_EQ(model.shape.num_features, hashed ? 256u : 11u);
          EXPECT_EQ(model::serialize(model), bytes) << optimizer << classes << hashed << with_state;
        }
      }
}

TEST(StreamTrainer, ClassesAreSortedInTheModelAndKeepTheirCoefficients) {
  TrainOptions options;
  data::InputSpec input;
  data::Alphabet names;
  names.append("a");
  names.append("b");
  StreamTrainer trainer(options, input, 10);
  data::Rows rows;
  for (int j = 0; j < 20; ++j) {
    rows.x.ids.push_back(static_cast<FeatureId>(j % 2));
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(j % 2);
  }
  rows.unknown_labels = {"zebra", "ape"};
  rows.x.num_features = 2;
  trainer.learn(rows, 0);
  const model::Model model = model::deserialize(saved(trainer, names, true), "memory");
  EXPECT_EQ(model.classes.label(0), "ape");
  EXPECT_EQ(model.shape.reference, 0);
  EXPECT_GT(model.coefficients[0], 0);  // feature a speaks for zebra, the second class
  EXPECT_LT(model.coefficients[1], 0);
}

TEST(StreamTrainer, RefusesAStateThatDoesNotFit) {
  TrainOptions options;
  data::InputSpec input;
  data::Alphabet names;
  for (int f = 0; f < 11; ++f) names.append(std::to_string(f));
  StreamTrainer trainer(options, input, 10);
  trainer.learn(make_rows(20, 2, 11), 0);
  const model::Model model = model::deserialize(saved(trainer, names, true), "memory");
  TrainOptions symmetric;
  symmetric.symmetric = true;
  StreamTrainer other(symmetric, input, 10);
  EXPECT_THROW(other.resume(model, silent_log()), ConfigError);
  TrainOptions without;
  without.intercept = false;
  StreamTrainer third(without, input, 10);
  EXPECT_THROW(third.resume(model, silent_log()), ConfigError);
}

TEST(StreamTrainer, NeedsTwoClasses) {
  TrainOptions options;
  data::InputSpec input;
  data::Alphabet names;
  for (int f = 0; f < 11; ++f) names.append(std::to_string(f));
  StreamTrainer trainer(options, input, 10);
  trainer.learn(make_rows(5, 1, 11), 0);
  EXPECT_THROW(saved(trainer, names, true), InputError);
}

}  // namespace
}  // namespace lazylogit::train
