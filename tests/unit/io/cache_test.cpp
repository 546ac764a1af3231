// The binary cache: what comes back, and that no change of the file goes unnoticed.
#include <gtest/gtest.h>

#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/cache/cache_writer.hpp"
#include "lazylogit/io/cache/layout.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {
namespace {

Loaded load_bytes(Format format, const std::string& bytes, const ReadOptions& options = {}) {
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("memory", bytes));
  return find_format(format).load(inputs, options, silent_log(), {});
}

std::string cache_of(const data::Dataset& data) {
  std::string bytes;
  write_cache(data, 17, "from here", [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

Loaded sample() {
  ReadOptions options;
  options.id = "id";
  options.weight = "w";
  options.target = "y";
  return load_bytes(Format::csv, "x,c,id,w,y\n1,a,r1,1,p\n2.5,b,r2,2,q\n-3,a,r3,1,p\n,c,r4,0.5,q\n", options);
}

void expect_equal(const data::Dataset& a, const data::Dataset& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  ASSERT_EQ(a.x.num_nonzeros(), b.x.num_nonzeros());
  EXPECT_EQ(a.x.values.index(), b.x.values.index());
  EXPECT_EQ(a.x.num_features, b.x.num_features);
  for (std::size_t i = 0; i < a.num_rows(); ++i) {
    EXPECT_EQ(a.x.row_offsets[i + 1], b.x.row_offsets[i + 1]);
    EXPECT_EQ(a.labels[i], b.labels[i]);
  }
  for (std::size_t k = 0; k < a.x.num_nonzeros(); ++k) {
    EXPECT_EQ(a.x.ids[k], b.x.ids[k]);
    EXPECT_EQ(a.x.value(k), b.x.value(k));
  }
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.weights.size(), b.weights.size());
  EXPECT_EQ(a.classes.labels(), b.classes.labels());
  ASSERT_EQ(a.features.size(), b.features.size());
  for (FeatureId f = 0; f < a.features.size(); ++f) EXPECT_EQ(a.features.name(f), b.features.name(f));
  ASSERT_EQ(a.input.columns.size(), b.input.columns.size());
  for (std::size_t c = 0; c < a.input.columns.size(); ++c) {
    EXPECT_EQ(a.input.columns[c].name, b.input.columns[c].name);
    EXPECT_EQ(a.input.columns[c].impute_number, b.input.columns[c].impute_number);
    EXPECT_EQ(a.input.columns[c].missing_indicator, b.input.columns[c].missing_indicator);
  }
}

TEST(Cache, GivesTheDataBack) {
  const Loaded table = sample();
  expect_equal(table.data, load_bytes(Format::cache, cache_of(table.data)).data);
  std::string text;  // arrays that stay where they are, in more than one piece
  for (int i = 0; i < 350000; ++i)
    text += std::to_string(i % 3) + " " + std::to_string(i % 500 + 1) + ":0.5 " +
            std::to_string(i % 700 + 600) + ":" + std::to_string(i % 9 + 1) +
            " 2000:1 2001:1 2002:3 2003:4 2004:5\n";
  const Loaded rows = load_bytes(Format::libsvm, text);
  const std::string bytes = cache_of(rows.data);
  EXPECT_EQ(bytes, cache_of(load_bytes(Format::cache, bytes).data));
  expect_equal(rows.data, load_bytes(Format::cache, bytes).data);
  const Loaded ones = load_bytes(Format::libsvm, "1 1:1 3:1\n2\n1 3:1\n");
  expect_equal(ones.data, load_bytes(Format::cache, cache_of(ones.data)).data);
}

TEST(Cache, NamesThatAreNoSlotsAreUnknown) {
  Loaded loaded = load_bytes(Format::vw, "1 |n a b\n-1 |n c\n", {.hash_bits = 4});
  data::Dataset& data = loaded.data;
  ASSERT_EQ(data.features.size(), 3U);
  data.features = data::Alphabet();
  for (const char* name : {"", "#7", "x8"}) data.features.append(name);
  const std::string bytes = cache_of(data);
  const data::Alphabet every_slot;
  const FixedNames names{&data.input, &every_slot, &data.idf, &data.classes, 16};
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("memory", bytes));
  const ReadOptions options;
  const auto source = find_format(Format::cache).open(std::move(inputs), names, options, silent_log(), {});
  data::Rows rows;
  ASSERT_TRUE(source->next(rows));
  ASSERT_EQ(rows.x.num_nonzeros(), 1U);
  EXPECT_EQ(rows.x.ids[0], 7U);
  EXPECT_EQ(source->summary().unknown_features, 2U);
}

TEST(Cache, AChangeInAnyPieceIsFound) {
  std::string text;
  for (int i = 0; i < 350000; ++i) text += "1 1:0.5 2:3 3:1 4:1 5:3 6:4\n";
  const std::string good = cache_of(load_bytes(Format::libsvm, text + "2 1:1\n").data);
  ASSERT_GT(good.size(), cache_piece_bytes);
  for (const std::size_t byte : {good.size() / 5, good.size() / 2, good.size() - 100, good.size() - 20}) {
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ 1);
    EXPECT_THROW(load_bytes(Format::cache, bad), InputError) << byte;
  }
}

TEST(Cache, EveryFlippedBitIsRefused) {
  const std::string good = cache_of(sample().data);
  for (std::size_t byte = 0; byte < good.size(); ++byte)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[byte] = static_cast<char>(bad[byte] ^ (1 << bit));
      EXPECT_THROW(load_bytes(Format::cache, bad), InputError) << byte << ' ' << bit;
    }
}

TEST(Cache, EveryOtherLengthIsRefused) {
  const std::string good = cache_of(sample().data);
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW(load_bytes(Format::cache, good.substr(0, size)), InputError) << size;
  EXPECT_THROW(load_bytes(Format::cache, good + '\0'), InputError);
  EXPECT_THROW(load_bytes(Format::cache, good + good), InputError);
}

}  // namespace
}  // namespace lazylogit::io
