#include "lazylogit/io/whole_choices.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "lazylogit/data/split.hpp"

namespace lazylogit::io {
namespace {

// Rows one after another in blocks that end where they are told to.
class Blocks final : public RowSource {
 public:
  Blocks(data::Rows rows, std::vector<std::size_t> ends) : rows_(std::move(rows)), ends_(std::move(ends)) {}
  bool next(data::Rows& rows) override {
    if (at_ == ends_.size()) return false;
    std::vector<std::size_t> which;
    for (std::size_t j = at_ == 0 ? 0 : ends_[at_ - 1]; j < ends_[at_]; ++j) which.push_back(j);
    rows = data::copy_rows(rows_, which);
    if (at_++ == 0) rows.unknown_labels = {"0", "1"};
    return true;
  }
  const ReadSummary& summary() const override { return summary_; }

 private:
  data::Rows rows_;
  std::vector<std::size_t> ends_;
  std::size_t at_ = 0;
  ReadSummary summary_;
};

data::Rows table(const std::string& names) {
  data::Rows rows;
  rows.x.num_features = 1;
  Buffer<double> values;
  for (std::size_t j = 0; j < names.size(); ++j) {
    rows.x.ids.push_back(0);
    rows.x.row_offsets.push_back(j + 1);
    values.push_back(static_cast<double>(j));
    rows.labels.push_back(0);
    rows.ids.push_back(names.substr(j, 1));
  }
  rows.x.values = std::move(values);
  return rows;
}

TEST(WholeChoices, NoBlockCutsAChoice) {
  const std::string names = "aabcccccdda";
  for (unsigned cuts = 0; cuts < 1u << (names.size() - 1); ++cuts) {
    std::vector<std::size_t> ends;
    for (std::size_t j = 1; j < names.size(); ++j)
      if (cuts >> (j - 1) & 1u) ends.push_back(j);
    ends.push_back(names.size());
    const auto source = whole_choices(std::make_unique<Blocks>(table(names), ends), nullptr);
    std::string found, sizes;
    std::size_t at = 0, labels = 0;
    data::Rows rows;
    while (source->next(rows)) {
      ASSERT_FALSE(rows.choice_ends.empty());
      ASSERT_EQ(rows.choice_ends.back(), rows.num_rows());
      std::uint64_t before = 0;
      for (const std::uint64_t end : rows.choice_ends) {
        sizes += std::to_string(end - before);
        before = end;
      }
      for (std::size_t j = 0; j < rows.num_rows(); ++j) {
        found += rows.ids[j];
        ASSERT_EQ(rows.x.value(j), static_cast<double>(at++));
      }
      labels += rows.unknown_labels.size();
    }
    ASSERT_EQ(found, names);
    ASSERT_EQ(sizes, "21521") << cuts;
    ASSERT_EQ(labels, 2u);
  }
}

TEST(WholeChoices, CandidatesThatDoNotStandTogetherAreRefused) {
  EXPECT_NO_THROW(check_choices_stand_together({"a", "a", "b", "c", "c"}, "t.csv"));
  try {
    check_choices_stand_together({"a", "a", "b", "a"}, "t.csv");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.detail().file, "t.csv");
    EXPECT_NE(std::string(error.what()).find("row 4"), std::string::npos);
  }
}

}  // namespace
}  // namespace lazylogit::io
