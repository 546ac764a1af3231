#include "lazylogit/model/model_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zstd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include "lazylogit/base/error.hpp"
#include "support/model_bytes.hpp"
#include "support/sample_models.hpp"
#include "support/source_tree.hpp"

namespace lazylogit::model {
namespace {

using test::refusal;
using test::resealed;

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(from.size(), to.size());
  return resealed(bytes.replace(at, from.size(), to));
}

TEST(ModelFile, AFileHasTheBytesOfTheModel) {
  const std::string path = ::testing::TempDir() + "model_file_test_bytes";
  for (const auto& [name, model] : test::sample_models()) {
    SCOPED_TRACE(name);
    save_model(model, path);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(bytes, serialize(model));
    EXPECT_EQ(bytes.substr(checksum_offset, checksum_digits), container_checksum(bytes));
  }
  std::filesystem::remove(path);
}

TEST(ModelFile, EveryKindOfModelSurvivesTheRoundTrip) {
  for (const auto& [name, model] : test::sample_models()) {
    SCOPED_TRACE(name);
    const std::string bytes = serialize(model);
    const Model again = deserialize(bytes, "m");
    EXPECT_EQ(serialize(again), bytes);
    EXPECT_EQ(again.shape, model.shape);
    EXPECT_EQ(again.coefficients, model.coefficients);
    EXPECT_EQ(again.classes.labels(), model.classes.labels());
    ASSERT_EQ(again.features.size(), model.features.size());
    for (std::size_t i = 0; i < model.features.size(); ++i) {
      const auto id = static_cast<FeatureId>(i);
      EXPECT_EQ(again.features.name(id), model.features.name(id));
      EXPECT_EQ(again.features.find(model.features.name(id)), id);
    }
    EXPECT_EQ(again.idf, model.idf);
    EXPECT_EQ(again.prior_mean, model.prior_mean);
    EXPECT_EQ(again.prior_a, model.prior_a);
    EXPECT_EQ(again.input.kind, model.input.kind);
    EXPECT_EQ(again.input.hash_bits, model.input.hash_bits);
    EXPECT_EQ(again.input.text.tfidf, model.input.text.tfidf);
    ASSERT_EQ(again.input.columns.size(), model.input.columns.size());
    for (std::size_t i = 0; i < model.input.columns.size(); ++i) {
      EXPECT_EQ(again.input.columns[i].name, model.input.columns[i].name);
      EXPECT_EQ(again.input.columns[i].type, model.input.columns[i].type);
      EXPECT_EQ(again.input.columns[i].impute_number, model.input.columns[i].impute_number);
      EXPECT_EQ(again.input.columns[i].dropped_category, model.input.columns[i].dropped_category);
    }
    EXPECT_EQ(again.record.optimizer, model.record.optimizer);
    EXPECT_EQ(again.record.error(), model.record.error());
    ASSERT_EQ(again.record.certificate.has_value(), model.record.certificate.has_value());
    if (!model.record.certificate) continue;
    EXPECT_EQ(again.record.certificate->relative_gap, model.record.certificate->relative_gap);
  }
}

// One test per kind of model: all bits of a file are many loads, and sanitizers make each of them slow.
class DamagedModel : public testing::TestWithParam<std::size_t> {
 protected:
  std::string bytes_ = serialize(test::sample_models()[GetParam()].model);
};

TEST_P(DamagedModel, EverySingleBitFlipIsRefused) {
  for (std::size_t i = 0; i < bytes_.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      bytes_[i] = static_cast<char>(bytes_[i] ^ (1 << bit));
      ASSERT_FALSE(refusal(bytes_).empty()) << "byte " << i << " bit " << bit;
      bytes_[i] = static_cast<char>(bytes_[i] ^ (1 << bit));
    }
  ASSERT_TRUE(refusal(bytes_).empty());
}

TEST_P(DamagedModel, EveryTruncationExtensionAndConcatenationIsRefused) {
  for (std::size_t length = 0; length < bytes_.size(); ++length)
    ASSERT_FALSE(refusal(bytes_.substr(0, length)).empty()) << length;
  for (const std::size_t extra : {1u, 7u, 8u, 100u})
    ASSERT_FALSE(refusal(bytes_ + std::string(extra, '\0')).empty()) << extra;
  ASSERT_FALSE(refusal(bytes_ + bytes_).empty());
}

INSTANTIATE_TEST_SUITE_P(EveryKind, DamagedModel,
                         testing::Range(std::size_t{0}, test::sample_models().size()), [](const auto& kind) {
                           return std::string(test::sample_models()[kind.param].name);
                         });

TEST(ModelFile, DamageIsLocatedByByte) {
  std::string bytes = serialize(test::binary_model());
  bytes[bytes.size() - 3] ^= 1;
  EXPECT_EQ(refusal(bytes).find("m: byte 37: error: the checksum is"), 0u) << refusal(bytes);
  EXPECT_EQ(refusal(""), "m: byte 0: error: the file is empty; expected a model");
  EXPECT_EQ(refusal("label,x\n1,2\n").find("m: byte 0: error: a header of "), 0u)
      << refusal("label,x\n1,2\n");
}

TEST(ModelFile, ANewerMajorVersionIsRefusedByNameAndANewerMinorVersionIsRead) {
  const std::string bytes = serialize(test::binary_model());
  const std::string message =
      refusal(replaced(bytes, R"("format_version":"1.4")", R"("format_version":"2.0")"));
  EXPECT_NE(message.find("format version 2.0, this program reads up to 1.x"), std::string::npos) << message;
  EXPECT_EQ(refusal(replaced(bytes, R"("format_version":"1.4")", R"("format_version":"1.7")")), "");
}

TEST(ModelFile, ContentIsCheckedEvenWhenTheChecksumFits) {
  const std::string binary = serialize(test::binary_model());
  EXPECT_NE(refusal(replaced(binary, R"(\"num_classes\":2)", R"(\"num_classes\":3)")), "");
  EXPECT_NE(refusal(replaced(binary, R"(\"num_features\":5)", R"(\"num_features\":6)")), "");
  EXPECT_NE(refusal(replaced(binary, R"(\"reference\":0)", R"(\"reference\":2)")), "");
  EXPECT_NE(refusal(replaced(binary, R"(\"kind\":\"indexed\")", R"(\"kind\":\"indexeD\")")), "");
  EXPECT_NE(refusal(replaced(binary, R"("dtype":"F64")", R"("dtype":"I64")")), "");
  EXPECT_NE(refusal(replaced(binary, "12345", "12245")).find("two feature names are the same"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(binary, "12345", "123\xC3\x34")).find("UTF-8"), std::string::npos);
  EXPECT_NE(refusal(replaced(binary, R"("prior":"{)", R"("Prior":"{)")), "");

  Model model = test::binary_model();
  model.coefficients[2] = 1234.5;
  const auto with_bits = [&](double value) {
    std::string bytes = serialize(model);
    const double marker = 1234.5;
    const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&marker), 8));
    std::memcpy(bytes.data() + at, &value, 8);
    return resealed(bytes);
  };
  EXPECT_EQ(refusal(with_bits(1.0)), "");
  EXPECT_NE(refusal(with_bits(std::numeric_limits<double>::quiet_NaN())).find("holds nan"),
            std::string::npos);
  EXPECT_NE(refusal(with_bits(std::numeric_limits<double>::infinity())).find("holds inf"), std::string::npos);
}

TEST(ModelFile, WordsWeighedByTfIdfNeedTheirFactors) {
  for (auto [name, model] : test::sample_models()) {
    if (model.idf.empty()) continue;
    model.idf.clear();
    EXPECT_NE(refusal(serialize(model)).find("has no idf"), std::string::npos) << name;
  }
  Model model = test::binary_model();
  model.input.text.tfidf = true;
  EXPECT_NE(refusal(serialize(model)).find("has no idf"), std::string::npos);
}

TEST(ModelFile, ModelsOfChoicesHaveOneVectorWithoutAnIntercept) {
  const auto of_choices = [](Model model) {
    model.input.choices.column = model.input.id = "group";
    return refusal(serialize(model));
  };
  EXPECT_EQ(of_choices(test::no_intercept_model()), "");
  for (const Shape& shape : {Shape{3, 2, std::nullopt, false}, Shape{3, 2, 1, true}, Shape{3, 3, 1, false}}) {
    std::vector<std::string> labels{"a", "b", "c"};
    labels.resize(shape.num_classes);
    EXPECT_NE(of_choices(test::make_model(shape, labels)).find("of choices"), std::string::npos);
  }
}

TEST(ModelFile, SparseFormIsUsedWhenSmallerAndItsRulesAreChecked) {
  const std::string sparse = serialize(test::sparse_model());
  EXPECT_NE(sparse.find("coefficient_index"), std::string::npos);
  EXPECT_EQ(serialize(test::binary_model()).find("coefficient_index"), std::string::npos);
  const std::uint64_t second = 10, out_of_range = 120, repeated = 0;
  const auto text = [](const std::uint64_t& number) {
    return std::string(reinterpret_cast<const char*>(&number), 8);
  };
  const std::string pair = text(repeated) + text(second);
  EXPECT_NE(refusal(replaced(sparse, pair, text(repeated) + text(repeated))), "");
  EXPECT_NE(refusal(replaced(sparse, text(110), text(out_of_range))), "");
  const double value = std::sin(0.25), zero = 0;
  EXPECT_NE(refusal(replaced(sparse, std::string(reinterpret_cast<const char*>(&value), 8),
                             std::string(reinterpret_cast<const char*>(&zero), 8))),
            "");
}

TEST(ModelFile, ASmallFileCannotAskForALargeModel) {
  Model model = test::hashed_model();
  model.input.hash_bits = 20;  // 8 MiB of coefficients, one of them not zero: too much for a sparse file
  model.shape.num_features = std::size_t{1} << 20;
  model.coefficients.assign(model.shape.size(), 0.0);
  model.coefficients[77] = 1;
  const std::string bytes = serialize(model);
  EXPECT_GT(bytes.size(), std::size_t{8} << 20);
  EXPECT_EQ(deserialize(bytes, "m").coefficients[77], 1);

  Model small = test::hashed_model();
  small.input.hash_bits = 10;
  small.shape.num_features = 1024;
  small.coefficients.assign(small.shape.size(), 0.0);
  small.coefficients[7] = 2;
  const std::string sparse = serialize(small);
  EXPECT_LT(sparse.size(), 4000u);
  EXPECT_EQ(deserialize(sparse, "m").coefficients[7], 2);
  std::string hostile = sparse;
  hostile = replaced(hostile, R"(\"hash_bits\":10)", R"(\"hash_bits\":30)");
  hostile.replace(hostile.find(R"(\"num_features\":1024)"), 21, R"(\"num_features\":1073)");
  EXPECT_NE(refusal(resealed(hostile)), "");
}

TEST(ModelFile, HashedFeaturesAreCalledByTheirSlots) {
  const std::string bytes = serialize(test::slots_model());
  EXPECT_EQ(deserialize(bytes, "m").feature_name(2), "#1048575");
  ASSERT_NE(bytes.find("#0#7#1048575"), std::string::npos);
  for (const char* names :
       {"#8#7#1048575", "#0#0#1048575", "#0#7#1048576", "#0x7#1048575", "#0#7#-048575", "00#7#1048575"})
    EXPECT_NE(refusal(replaced(bytes, "#0#7#1048575", names)), "") << names;
}

TEST(ModelFile, NumbersThatAreNotFiniteAreNeverWritten) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Model model = test::binary_model();
    model.coefficients[1] = bad;
    EXPECT_THROW(serialize(model), Error);
    model = test::text_model();
    model.idf[0] = bad;
    EXPECT_THROW(serialize(model), Error);
  }
}

TEST(ModelFile, OtherSpellingsOfTheHeaderAreRefused) {
  const std::string bytes = serialize(test::binary_model());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  const std::string header = bytes.substr(8, length), data = bytes.substr(8 + length);
  const auto with_header = [&](std::string text) {
    while (text.size() % 8 != 0) text += ' ';
    const std::uint64_t size = text.size();
    std::string file = std::string(reinterpret_cast<const char*>(&size), 8) + text + data;
    const std::size_t at = file.find("\"total_bytes\":\"") + 15;
    char digits[21];
    std::snprintf(digits, sizeof digits, "%020zu", file.size());
    file.replace(at, 20, digits);
    return resealed(file);
  };
  ASSERT_EQ(refusal(with_header(header)), "");
  std::string spaced = header;
  spaced.insert(spaced.find(",\"format\""), " ");
  EXPECT_NE(refusal(with_header(spaced)).find("canonical"), std::string::npos);
  EXPECT_NE(refusal(with_header(header + "        ")).find("canonical"), std::string::npos);
  std::string twice = header;
  twice.insert(twice.find("\"intercepts\""),
               R"("class_name_ends":{"data_offsets":[0,16],"dtype":"I64","shape":[2]},)");
  EXPECT_NE(refusal(with_header(twice)).find("canonical"), std::string::npos);
  EXPECT_NE(refusal(with_header(std::string(header.size(), '['))), "");
}

TEST(ModelFile, FilesAreSavedAndLoadedWholeAlsoThroughPipes) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "lazylogit_model_file_test";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "model.safetensors", pipe = folder / "pipe";
  save_model(test::columns_model(), path);
  EXPECT_EQ(serialize(load_model(path)), serialize(test::columns_model()));
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << serialize(test::text_model()); });
  EXPECT_EQ(serialize(load_model(pipe)), serialize(test::text_model()));
  writer.join();
  EXPECT_THROW(load_model(folder / "absent"), IoError);
  EXPECT_THROW(load_model(folder), IoError);
  std::filesystem::remove_all(folder);
}

std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The bytes of tests/data/models/format_NAME, expanded where they are kept compressed.
std::string sample_of_format(const std::string& name) {
  const std::filesystem::path folder = test::source_tree() / "tests/data/models";
  const std::string compressed = bytes_of_file(folder / ("format_" + name + ".safetensors.zst"));
  if (compressed.empty()) return bytes_of_file(folder / ("format_" + name + ".safetensors"));
  std::string bytes(ZSTD_getFrameContentSize(compressed.data(), compressed.size()), '\0');
  bytes.resize(ZSTD_decompress(bytes.data(), bytes.size(), compressed.data(), compressed.size()));
  return bytes;
}

TEST(ModelFile, ModelsOfEveryReleasedFormatStayReadable) {
  for (const char* name : {"1.0_columns", "1.0_sparse"}) {
    const Model model = deserialize(sample_of_format(name), name);
    EXPECT_EQ(model.classes.size(), 3u);
    EXPECT_EQ(model.record.optimizer, "lbfgs");
    EXPECT_EQ(model.coefficients.size(), model.shape.size());
  }
  const struct {
    const char* name;
    std::function<bool(const Model&)> has_it;  // what the format brought
  } samples[] = {
      {"1.1_posterior",
       [](const Model& m) { return m.posterior && m.posterior->kind == PosteriorKind::full; }},
      {"1.2_stream", [](const Model& m) { return m.state.has_value(); }},
      {"1.2_kernel", [](const Model& m) { return m.kernel != nullptr; }},
      {"1.2_samples",
       [](const Model& m) { return m.posterior && m.posterior->kind == PosteriorKind::samples; }},
      {"1.2_covariance", [](const Model& m) { return m.held_out && !m.prior_covariance.empty(); }},
      {"1.3_number", [](const Model& m) { return m.shape.response == data::Response::number; }},
      {"1.3_labels", [](const Model& m) { return m.shape.response == data::Response::labels; }},
      {"1.3_derived", [](const Model& m) { return !m.input.derived.empty() && !m.centers.empty(); }},
      {"1.4_wide", [](const Model& m) { return m.input.columns.size() > 16'000; }},
  };
  int newest = 0;
  for (const auto& [name, has_it] : samples) {
    SCOPED_TRACE(name);
    const std::string bytes = sample_of_format(name);
    EXPECT_NE(bytes.find(std::string("\"format_version\":\"") + std::string(name, 3) + "\""),
              std::string::npos);
    EXPECT_TRUE(has_it(deserialize(bytes, name)));
    newest = name[2] - '0';
  }
  EXPECT_EQ(newest, current_format.minor) << "a sample of the new format belongs into tests/data/models";
}

}  // namespace
}  // namespace lazylogit::model
