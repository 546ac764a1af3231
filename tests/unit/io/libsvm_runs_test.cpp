// libsvm through the whole drive train: threads, block limits, compression, policies, fixed names, hashing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

#include "lazylogit/base/parallel.hpp"
#include "support/compressed.hpp"
#include "support/libsvm_text.hpp"

namespace lazylogit::io {
namespace {

using test::describe;
using test::error_of;
using test::load_in_blocks;
using test::load_text_as_libsvm;

std::string random_text(int rows, std::uint32_t largest_index) {
  std::mt19937 random(11);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(random() % 5);
    std::uint32_t index = 0;
    while (true) {
      index += static_cast<std::uint32_t>(1 + random() % (largest_index / 6));
      if (index > largest_index) break;
      text += " " + std::to_string(index) + ":" + std::to_string(static_cast<double>(random() % 1000) / 64);
    }
    text += random() % 9 == 0 ? " # c\n\n" : "\n";
  }
  return text;
}

TEST(LibsvmRuns, ThreadsAndBlockLimitsChangeNothing) {
  const std::string text = random_text(300, 40);
  const std::string expected = describe(load_text_as_libsvm(text));
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const ThreadLimit limit(threads);
    EXPECT_EQ(describe(load_text_as_libsvm(text)), expected);
    for (const std::size_t block_bytes : {1u, 3u, 64u, 1000u, 5000u})
      EXPECT_EQ(describe(load_in_blocks(text, block_bytes)), expected) << threads << " " << block_bytes;
  }
}

// A plus sign before a value changes nothing but that the pair is read alone.
TEST(LibsvmRuns, PairsReadInGroupsEqualPairsReadAlone) {
  std::mt19937 random(13);
  constexpr std::string_view unusual[] = {"1e-3", "0.1234567890123456789", "3.", ".5", "0", "-0.0"};
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int row = 0; row < 5; ++row) {
      text += std::to_string(random() % 3);
      std::uint32_t index = 0;
      const auto odd = random() % 4;
      for (auto k = random() % 60; k > 0; --k) {
        index += 1 + static_cast<std::uint32_t>(random()) % (k % 20 == 0 ? 1000000 : 50);
        text += random() % 50 < odd ? "  " : " ";
        text += std::to_string(index) + ":";
        if (random() % 50 < odd)
          text += unusual[random() % std::size(unusual)];
        else
          text += random() % 3 == 0 ? "1" : std::to_string(static_cast<double>(random() % 100000) / 4096);
      }
      text += random() % 5 == 0 ? "\r\n" : random() % 7 == 0 ? " # c\n" : "\n";
    }
    std::string alone;
    for (std::size_t i = 0; i < text.size(); ++i) {
      alone += text[i];
      if (text[i] == ':' && text[i + 1] != '-') alone += '+';
    }
    ASSERT_EQ(describe(load_text_as_libsvm(text)), describe(load_text_as_libsvm(alone))) << text;
    const auto bad = text.find(':', text.size() / 2);
    if (bad == std::string::npos) continue;
    const auto line = text.find('\n', bad);
    const std::string place =
        ":" +
        std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line), '\n')) +
        ":";
    EXPECT_NE(error_of(text.substr(0, bad + 1) + "x" + text.substr(bad + 1)).find(place), std::string::npos)
        << text;
  }
}

TEST(LibsvmRuns, SparseAndDenseIndicesAreNumberedAlike) {
  const std::string text = random_text(50, 40);
  // Far indices make the same columns through the hash map instead of the table.
  std::string far = text;
  for (std::size_t at = 0; (at = far.find(':', at)) != std::string::npos; at += 9) far.insert(at, "0000000");
  const Loaded near_loaded = load_text_as_libsvm(text), far_loaded = load_text_as_libsvm(far);
  ASSERT_EQ(far_loaded.data.x.num_features, near_loaded.data.x.num_features);
  for (std::size_t k = 0; k < near_loaded.data.x.ids.size(); ++k)
    ASSERT_EQ(far_loaded.data.x.ids[k], near_loaded.data.x.ids[k]);
  for (FeatureId i = 0; i < near_loaded.data.x.num_features; ++i)
    EXPECT_EQ(far_loaded.data.features.name(i), std::string(near_loaded.data.features.name(i)) + "0000000");
}

TEST(LibsvmRuns, CompressedEqualsPlain) {
  const std::string text = random_text(200, 30);
  const std::string expected = describe(load_text_as_libsvm(text));
  const std::string half = text.substr(0, 1000), rest = text.substr(1000);
  for (const std::string& bytes : {test::gzip(text), test::zstd(text), test::gzip(half) + test::gzip(rest)})
    EXPECT_EQ(describe(load_text_as_libsvm(bytes)), expected);
  const std::string cut = test::gzip(text).substr(0, 900);
  EXPECT_NE(error_of(cut).find("cut off"), std::string::npos);
}

TEST(LibsvmRuns, ValuesOfOneAreNotStored) {
  EXPECT_EQ(load_text_as_libsvm("1 1:1 2:1.0\n2 3:1e0 4:0\n").data.x.values.index(), 0u);
  const Loaded loaded = load_in_blocks("1 1:1 2:1\n2 1:1 3:2\n", 1);
  EXPECT_EQ(loaded.data.x.values.index(), 1u);
  EXPECT_EQ(loaded.data.x.value(0), 1.0);
  EXPECT_EQ(loaded.data.x.value(3), 2.0);
}

TEST(LibsvmRuns, TheEarliestErrorIsReportedWhateverTheThreads) {
  std::string text = random_text(500, 40);
  text += "1 bad\n" + random_text(10, 40) + "1 0:1\n";
  const std::string expected = error_of(text);
  EXPECT_NE(expected.find("\"bad\""), std::string::npos);
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const ThreadLimit limit(threads);
    EXPECT_EQ(test::error_from([&] { load_in_blocks(text, 50); }), expected);
  }
}

TEST(LibsvmRuns, ReportsSeveralErrorsBeforeStopping) {
  ReadOptions options;
  options.max_errors = 3;
  for (const std::size_t block_bytes : {8u, 1000u}) {
    try {
      load_in_blocks("1 a\n1 1:1\n1 b\n1 c\n1 d\n", block_bytes, options);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(error.detail().line, 1u);
      ASSERT_EQ(error.more().size(), 2u);
      EXPECT_EQ(error.more()[0].line, 3u);
      EXPECT_EQ(error.more()[1].line, 4u);
    }
  }
  options.max_errors = 100;
  EXPECT_NE(error_of("1 1:1\n1 a\n", options), "none");
}

TEST(LibsvmRuns, SkipsBadRowsOnRequest) {
  ReadOptions options;
  options.skip_bad_rows = true;
  test::KeepingLog log;
  std::string text = "1 1:1\n";
  for (int i = 0; i < 8; ++i) text += "1 bad\n";
  const Loaded loaded = load_text_as_libsvm(text + "2 2:1 9:x\n3 3:1\n", options, log);
  EXPECT_EQ(loaded.summary.bad_rows, 9u);
  EXPECT_EQ(loaded.data.num_rows(), 2u);
  EXPECT_EQ(loaded.data.classes.labels(),
            (std::vector<std::string>{"1", "3"}));  // no class of a bad row alone
  EXPECT_EQ(loaded.data.x.num_features, 2u);
  ASSERT_EQ(log.warnings.size(), 6u);
  EXPECT_EQ(log.warnings[0], "x.svm:2:3: warning: row skipped: found \"bad\", expected index:value");
  EXPECT_EQ(log.warnings[5], "x.svm: warning: 9 bad rows skipped, the first 5 named above");
  options.max_bad_rows = 9;
  EXPECT_EQ(error_of(text + "2 2:1 9:x\n3 3:1\n", options), "none");
  options.max_bad_rows = 8;
  EXPECT_NE(error_of(text + "2 2:1 9:x\n3 3:1\n", options).find("x.svm:10:9: error: more than 8 bad rows"),
            std::string::npos);
  options.max_bad_rows.reset();
  EXPECT_NE(error_of("1 bad\n", options).find("1 bad row was skipped"), std::string::npos);
}

TEST(LibsvmRuns, DropsRareFeatures) {
  ReadOptions options;
  options.min_count = 2;
  EXPECT_EQ(describe(load_text_as_libsvm("1 1:2 3:5\n2 3:6 4:1\n1 4:0 9:9\n", options)),
            "features 3\nclasses 1 2\nvalues of kind 1, columns 1\n0 0:5.000000\n1 0:6.000000\n0\n");
  EXPECT_EQ(describe(load_text_as_libsvm("1 1:2 4000000000:5\n2 4000000000:6\n", options)),
            "features 4000000000\nclasses 1 2\nvalues of kind 1, columns 1\n0 0:5.000000\n1 0:6.000000\n");
}

TEST(LibsvmRuns, HashesNamesIntoSlots) {
  ReadOptions options;
  options.hash_bits = 2;
  const Loaded loaded = load_text_as_libsvm("1 1:1 2:1 3:1 4:1 5:1 6:1\n2 1:1\n", options);
  EXPECT_EQ(loaded.data.x.num_features, 4u);
  EXPECT_EQ(loaded.data.features.size(), 4u);
  EXPECT_EQ(loaded.data.features.name(3), "#3");
  EXPECT_EQ(loaded.summary.hashed_features, 6u);
  ASSERT_TRUE(loaded.summary.shared_slots.has_value());
  EXPECT_GE(*loaded.summary.shared_slots, 3u);  // six names in four slots
  double sum = 0;
  for (std::size_t k = 0; k < loaded.data.x.row_offsets[1]; ++k) sum += loaded.data.x.value(k);
  EXPECT_EQ(sum, 6.0);
  EXPECT_EQ(loaded.data.x.ids[loaded.data.x.row_offsets[1]], hash_feature_name("1") & 3);
  EXPECT_EQ(describe(load_in_blocks("1 1:1 2:1 3:1 4:1 5:1 6:1\n2 1:1\n", 4, options)), describe(loaded));
}

class FixedLibsvm : public testing::Test {
 protected:
  std::vector<data::Rows> read(std::string_view text, bool labels_required) {
    data_ = load_text_as_libsvm("1 10:1 20:2\n-1 30:3\n", options_).data;
    data_.features.build_index();
    names_ = {&data_.input, &data_.features, &data_.idf, &data_.classes, data_.x.num_features};
    options_.labels_required = labels_required;
    std::vector<Input> inputs;
    inputs.push_back(Input::from_memory("new.svm", text));
    const auto source = libsvm_format().open(std::move(inputs), names_, options_, silent_log(), {});
    std::vector<data::Rows> all;
    data::Rows rows;
    while (source->next(rows)) all.push_back(std::move(rows));
    summary_ = source->summary();
    return all;
  }
  data::Dataset data_;
  FixedNames names_ = {};
  ReadOptions options_;
  ReadSummary summary_;
};

TEST_F(FixedLibsvm, AppliesTheNamesOfAModel) {
  const auto parts = read("1 30:5 10:4 99:1\n7 20:1\n-1\n8 4000000000:1\n", true);
  ASSERT_EQ(parts.size(), 1u);
  const data::Rows& rows = parts[0];
  EXPECT_EQ(rows.x.num_features, 3u);
  ASSERT_EQ(rows.num_rows(), 4u);
  EXPECT_EQ(rows.x.row_ids(0)[0], 0u);
  EXPECT_EQ(rows.x.row_ids(0)[1], 2u);
  EXPECT_EQ(rows.x.value(0), 4.0);
  EXPECT_EQ(rows.x.row_ids(1)[0], 1u);
  EXPECT_EQ(rows.labels[0], 1);
  EXPECT_EQ(rows.labels[1], unknown_class);
  EXPECT_EQ(rows.labels[2], 0);
  EXPECT_EQ(rows.unknown_labels, (std::vector<std::string>{"7", "8"}));
  EXPECT_EQ(summary_.unknown_features, 2u);
  EXPECT_EQ(summary_.unknown_labels, 2u);
  EXPECT_EQ(summary_.rows, 4u);
}

TEST_F(FixedLibsvm, TheLabelMayBeAbsentWhenItIsNotRequired) {
  const auto parts = read("30:5 10:4\n1 20:1\n", false);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].num_rows(), 2u);
  EXPECT_EQ(parts[0].labels[0], unknown_class);
  EXPECT_EQ(parts[0].labels[1], 1);
  EXPECT_TRUE(parts[0].unknown_labels.empty());
  EXPECT_THROW(read("30:5 10:4\n", true), InputError);
}

TEST_F(FixedLibsvm, HashedModelsKnowTheSlotsInUse) {
  options_.hash_bits = 30;  // three features: three columns, whatever the number of slots
  const auto parts = read("1 10:4 11:1\n", true);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].x.num_features, 3u);
  ASSERT_EQ(parts[0].x.row_ids(0).size(), 1u);
  const std::uint32_t column = parts[0].x.row_ids(0)[0];
  EXPECT_EQ(data_.features.name(column), "#" + std::to_string(hash_feature_name("10") & ((1u << 30) - 1)));
}

TEST(IndexLookup, EverySlotIsAColumnWhereTheyHaveNoNames) {
  EXPECT_EQ(IndexLookup::of_slots({}, 8)->find(5), 5u);
  EXPECT_EQ(IndexLookup::of_slots({}, 0)->find(5), IndexLookup::unknown);
}

TEST(LibsvmRuns, CanBeCancelled) {
  const std::atomic<bool> flag{true};
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("x.svm", "1 1:1\n"));
  EXPECT_THROW(libsvm_format().load(inputs, {}, silent_log(), CancelToken(&flag)), Cancelled);
}

}  // namespace
}  // namespace lazylogit::io
