#include <gtest/gtest.h>

#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/prior_setup.hpp"

namespace lazylogit::train {
namespace {

model::Model model_with(const std::string& prior_json) {
  model::Model model;
  model.shape = {3, 2, ClassId{0}, true};
  model.coefficients.assign(model.shape.size(), 0.5);
  model.record.prior_json = prior_json;
  return model;
}

TEST(PriorRecord, SaysWhetherTheInterceptIsPenalized) {
  const auto penalized = [](const std::string& flag) {
    return prior_of(model_with(R"({"family":"gaussian",)" + flag + R"("variance":1.0})")).num_penalized();
  };
  EXPECT_EQ(penalized(""), 3u);
  EXPECT_EQ(penalized(R"("penalizes_intercept":false,)"), 3u);
  EXPECT_EQ(penalized(R"("penalizes_intercept":true,)"), 4u);
}

TEST(PriorRecord, OfTheWrongTypeIsBadInput) {
  for (const char* value : {"1", "1e308", "\"x\"", "[true]", "{}", "null"})
    EXPECT_THROW(prior_of(model_with(std::string(R"({"family":"gaussian","penalizes_intercept":)") + value +
                                     R"(,"variance":1.0})")),
                 InputError)
        << value;
  EXPECT_THROW(prior_of(model_with(R"({"family":7})")), InputError);
  EXPECT_THROW(prior_of(model_with(R"({"family":"gaussian","variance":"x"})")), InputError);
  EXPECT_THROW(class_weights_of(model_with(R"({"class_weights":1,"family":"uniform"})")), InputError);
}

}  // namespace
}  // namespace lazylogit::train
