// ArrowRows::csv: the table as the text of a csv file, made as it is read.
#include <cstring>

#include "arrow.hpp"
#include "arrow_column.hpp"

namespace lazylogit::python {
namespace {

class CsvSource final : public io::ByteSource {
 public:
  CsvSource(std::shared_ptr<const ArrowBatches> from, const std::int64_t* codes, const std::string& target)
      : from_(std::move(from)), codes_(codes) {
    for (const std::string& name : from_->names) append_quoted(name, text_ += text_.empty() ? "" : ",");
    if (codes_ != nullptr) append_quoted(target, text_ += ',');
    text_ += '\n';
    enter();
  }

  std::size_t read(char* to, std::size_t size) override {
    if (at_ == text_.size()) refill();
    const std::size_t count = std::min(size, text_.size() - at_);
    std::memcpy(to, text_.data() + at_, count);
    at_ += count;
    consumed_ += count;
    return count;
  }
  std::uint64_t consumed() const noexcept override { return consumed_; }

 private:
  void enter() {
    columns_.clear();
    row_ = 0;
    if (batch_ == from_->batches.size()) return;
    const ArrowArray& batch = from_->batches[batch_];
    for (std::size_t c = 0; c < from_->names.size(); ++c)
      columns_.emplace_back(*from_->schema.children[c], *batch.children[c], from_->names[c]);
  }

  void refill() {
    constexpr std::size_t some = std::size_t{1} << 16;
    text_.clear();
    at_ = 0;
    while (text_.size() < some && batch_ < from_->batches.size()) {
      const ArrowArray& batch = from_->batches[batch_];
      if (row_ == batch.length) {
        ++batch_;
        enter();
        continue;
      }
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (c > 0) text_ += ',';
        columns_[c].append_field(row_ + batch.offset, text_);
      }
      if (codes_ != nullptr) text_.append(",c").append(std::to_string(codes_[row_number_]));
      text_ += '\n';
      ++row_;
      ++row_number_;
    }
  }

  std::shared_ptr<const ArrowBatches> from_;
  const std::int64_t* codes_;
  std::size_t batch_ = 0, row_number_ = 0;
  std::int64_t row_ = 0;
  std::vector<ArrowColumn> columns_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace

io::Input::Maker ArrowRows::csv(const std::int64_t* codes, const std::string& target) const {
  return [kept = kept_, codes, target] { return std::make_unique<CsvSource>(kept, codes, target); };
}

}  // namespace lazylogit::python
