#include "lazylogit/model/describe.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/sample_models.hpp"

namespace lazylogit::model {
namespace {

std::string collect(void (*write)(const Model&, const TextSink&), const Model& model) {
  std::string text;
  write(model, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(Describe, CoefficientsAreCsvWithZerosAndSeventeenDigits) {
  Model model = test::no_intercept_model();  // reference "yes": the vector describes "no"
  model.coefficients[0] = 0.1;
  model.coefficients[1] = 0;
  model.coefficients[2] = -1e-300;
  EXPECT_EQ(collect(write_coefficients_csv, model),
            "class,feature,coefficient\nno,1,0.10000000000000001\nno,2,0\nno,3,-1e-300\n");
}

TEST(Describe, TheInterceptComesLastAndNamesAreQuoted) {
  Model model = test::binary_model();
  model.features = {};
  for (const char* name : {"a,b", "c\"d", "e", "f", "g"}) model.features.append(name);
  const std::string text = collect(write_coefficients_csv, model);
  EXPECT_NE(text.find("\n1,\"a,b\","), std::string::npos);
  EXPECT_NE(text.find("\n1,\"c\"\"d\","), std::string::npos);
  EXPECT_NE(text.find("\n1,(intercept),"), std::string::npos);
  EXPECT_EQ(text.find("\n0,"), std::string::npos);  // the first of two classes is the reference
}

TEST(Describe, JsonHasEveryFieldAndAgreesWithTheModel) {
  for (const auto& [name, model] : test::sample_models()) {
    SCOPED_TRACE(name);
    const auto object = nlohmann::json::parse(collect(write_model_json, model));
    for (const char* key :
         {"classes", "reference", "num_features", "num_nonzero", "prior", "optimizer", "termination",
          "iterations", "log_likelihood", "penalty", "error", "log_prior", "certificate", "coefficients"})
      EXPECT_TRUE(object.contains(key)) << key;
    EXPECT_EQ(object["classes"].size(), model.shape.num_classes);
    EXPECT_EQ(object["reference"].is_null(), !model.shape.reference.has_value());
    EXPECT_EQ(object["coefficients"].size(), model.shape.num_rows() * model.shape.num_vectors());
    EXPECT_EQ(object["error"].get<double>(), 43.75);
    std::size_t nonzero = 0;
    for (const auto& entry : object["coefficients"])
      nonzero += entry["feature"] != intercept_name && entry["coefficient"].get<double>() != 0 ? 1 : 0;
    EXPECT_EQ(object["num_nonzero"].get<std::size_t>(), nonzero);
    EXPECT_EQ(object["coefficients"][0]["coefficient"].get<double>(), model.coefficients[0]);
  }
}

TEST(Describe, TheTableNamesTheTopFeaturesTheErrorAndTheCertificate) {
  const std::string text = describe_model(test::columns_model(), 2);
  for (const char* expected :
       {"classes       3: high, low, mid\n", "reference     high\n", "low against high\n", "2 more\n",
        "error         43.75 = 40.25 (-log likelihood) + 3.5 (penalty)\n",
        "prior         gaussian, variance 1 to 2\n", "relative gap 3e-07", "label in income", "(intercept)"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
  EXPECT_NE(describe_model(test::text_model(), 2).find("certificate   none"), std::string::npos);
}

}  // namespace
}  // namespace lazylogit::model
