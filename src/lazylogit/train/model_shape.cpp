#include "lazylogit/train/model_shape.hpp"

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/nearest.hpp"
#include "lazylogit/train/class_field.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::train {

model::Shape make_shape(std::size_t num_features, const data::ClassTable& classes,
                        const TrainOptions& options) {
  model::Shape shape;
  shape.num_features = num_features;
  shape.num_classes = classes.size();
  shape.has_intercept = options.intercept;
  shape.response = response_of(options);
  if (shape.response != data::Response::classes) return shape;
  if (!options.reference.empty()) {
    if (options.symmetric)
      throw ConfigError("a reference class and --symmetric contradict each other; give one of them",
                        "reference");
    const auto label = data::canonical_label(options.reference).value_or(options.reference);
    const ClassId reference = classes.find(label);
    if (reference == unknown_class)
      throw ConfigError("the data has no class " + quote_text(options.reference) + expected_classes(classes),
                        "reference", config::did_you_mean(label, classes.labels()));
    shape.reference = reference;
  } else if (!options.symmetric && (classes.size() == 2 || options.prior == "uniform")) {
    shape.reference = 0;
  }
  return shape;
}

}  // namespace lazylogit::train
