// Trains on a data file in any format, saves the model, and predicts the same file with it.
//   train_and_predict DATA MODEL
#include <cstdio>
#include <exception>

#include "lazylogit/lazylogit.hpp"

int main(int argc, char** argv) try {
  using namespace lazylogit;
  if (argc != 3) return std::fprintf(stderr, "usage: train_and_predict DATA MODEL\n"), 2;
  const CancelToken never;
  optim::Observer observer;

  io::Loaded loaded = io::load({argv[1]}, {}, silent_log(), never);
  std::printf("%zu classes, %zu rows\n", loaded.data.classes.size(), loaded.data.num_rows());

  train::TrainOptions options;
  options.prior = "gaussian";
  options.variance = 10.0;
  const auto result = train::train(loaded.data, options, nullptr, nullptr, observer, silent_log(), never);
  std::printf("%s\n", result.fit.message.c_str());
  model::save_model(result.model, argv[2]);

  // A model knows everything needed to read raw rows again.
  const model::Model model = model::load_model(argv[2]);
  const io::FixedNames names{&model.input, &model.features, &model.idf, &model.classes,
                             model.shape.num_features};
  const data::Rows rows = io::load_with({argv[1]}, names, {}, silent_log(), never, nullptr);
  model::Predictions predictions;
  model::Predictor(model).predict(rows, model::Predictor::Detail::decisions, predictions);
  for (std::size_t i = 0; i < rows.num_rows(); ++i)
    std::printf("%s %.3f\n", model.classes.label(predictions.best[i]).c_str(),
                predictions.best_probability[i]);
  return 0;
} catch (const std::exception& error) {  // file, line, column, what was found and expected
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
