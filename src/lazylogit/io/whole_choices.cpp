#include "lazylogit/io/whole_choices.hpp"

#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/io/rows_joiner.hpp"

namespace lazylogit::io {
namespace {

class WholeChoices final : public RowSource {
 public:
  WholeChoices(std::unique_ptr<RowSource> source, std::unique_ptr<const ReadOptions> options)
      : options_(std::move(options)), source_(std::move(source)) {}

  bool next(data::Rows& rows) override {
    while (source_->next(part_)) {
      const std::size_t count = part_.num_rows();
      if (count == 0) continue;
      num_features_ = part_.x.num_features;
      std::size_t open = count - 1;  // where the last choice begins
      while (open > 0 && part_.ids[open - 1] == part_.ids[count - 1]) --open;
      const bool goes_on = waiting_ && open == 0 && part_.ids[0] == last_;
      if (!goes_on && (open > 0 || waiting_)) {
        rows = split_at(open);
        return true;
      }
      held_.add(part_);  // one choice so far
      waiting_ = true;
      last_ = part_.ids[count - 1];
    }
    if (!waiting_) return false;
    waiting_ = false;
    rows = finished();
    return true;
  }
  const ReadSummary& summary() const override { return source_->summary(); }

 private:
  // What waits and the rows before `open`; those from there on wait.
  data::Rows split_at(std::size_t open) {
    std::vector<std::size_t> which(open);
    std::iota(which.begin(), which.end(), std::size_t{0});
    data::Rows head = data::copy_rows(part_, which);
    head.unknown_labels = part_.unknown_labels;  // the names are known from here on
    held_.add(head);
    data::Rows rows = finished();
    which.resize(part_.num_rows() - open);
    std::iota(which.begin(), which.end(), open);
    held_ = RowsJoiner();
    held_.add(data::copy_rows(part_, which));
    waiting_ = true;
    last_ = part_.ids[open];
    return rows;
  }

  data::Rows finished() {
    data::Rows rows = held_.finish(num_features_);
    rows.choice_ends = choice_ends(rows.ids);
    return rows;
  }

  std::unique_ptr<const ReadOptions> options_;
  std::unique_ptr<RowSource> source_;
  data::Rows part_;
  RowsJoiner held_;
  bool waiting_ = false;
  std::string last_;
  std::size_t num_features_ = 0;
};

}  // namespace

Buffer<std::uint64_t> choice_ends(const std::vector<std::string>& names) {
  Buffer<std::uint64_t> ends;
  for (std::size_t j = 1; j <= names.size(); ++j)
    if (j == names.size() || names[j] != names[j - 1]) ends.push_back(j);
  return ends;
}

void check_choices_stand_together(const std::vector<std::string>& names, const std::string& file) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if ((j > 0 && names[j] == names[j - 1]) || seen.insert(names[j]).second) continue;
    throw InputError({.message = "the candidates of the choice " + quote_text(names[j]) +
                                 " do not stand together: row " + std::to_string(j + 1) +
                                 " is one again, after other choices",
                      .hint = "sort the rows by the column of --choices",
                      .file = file,
                      .code = "scattered-choice"});
  }
}

std::unique_ptr<RowSource> whole_choices(std::unique_ptr<RowSource> source,
                                         std::unique_ptr<const ReadOptions> options) {
  return std::make_unique<WholeChoices>(std::move(source), std::move(options));
}

}  // namespace lazylogit::io
