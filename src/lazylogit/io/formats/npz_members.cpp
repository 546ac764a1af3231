#include "lazylogit/io/formats/npz_members.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/dense_rows.hpp"
#include "lazylogit/io/formats/npy_element.hpp"
#include "lazylogit/io/formats/sparse_rows.hpp"
#include "lazylogit/io/whole_input.hpp"
#include "lazylogit/io/zip_archive.hpp"

namespace lazylogit::io {
namespace {

struct LayoutName {
  std::string_view name;
  SparseLayout layout;
};
constexpr LayoutName layouts[] = {
    {"csr", SparseLayout::csr}, {"csc", SparseLayout::csc}, {"coo", SparseLayout::coo}};

// The archive with everything that had to be expanded; arrays point into it.
class OpenArchive {
 public:
  OpenArchive(Input& input, std::uint64_t max_expansion)
      : bytes_(read_whole(input)),
        zip_({bytes_.data(), bytes_.size()}, input.name(), max_expansion),
        file_(input.name()) {}

  bool has(const std::string& array) const { return zip_.find(array + ".npy") != nullptr; }
  ArrayMember read(const std::string& array) {
    const ZipMember* member = zip_.find(array + ".npy");
    if (member == nullptr)
      throw InputError(
          {.message = "member " + quote_text(array) + " is missing; the archive has " + listing(),
           .file = file_,
           .code = "no-member"});
    storage_.push_back(std::make_unique<Buffer<char>>());
    const std::string_view content = zip_.read(*member, *storage_.back());
    return {content,
            {.file = file_,
             .member = member->name,
             .first_byte = member->data_offset,
             .compressed = member->deflated}};
  }
  std::string listing() const {
    if (zip_.members().empty()) return "no members";
    std::string names;
    for (const auto& member : zip_.members()) {
      if (names.size() > 100) return names + ", ...";
      names += (names.empty() ? "" : ", ") + quote_text(member.name);
    }
    return names;
  }
  const std::string& file() const noexcept { return file_; }

 private:
  Buffer<char> bytes_;
  ZipArchive zip_;
  std::string file_;
  std::vector<std::unique_ptr<Buffer<char>>> storage_;  // arrays keep their addresses
};

SparseLayout read_layout(OpenArchive& archive) {
  const ArrayMember member = archive.read("format");
  const NpyHeader header = parse_npy_header(member.bytes, member.place);
  if (!header.is_text() || header.num_items != 1)
    reject_array(member.place, 0, "expected the name of a sparse format");
  check_npy_size(header, member.bytes.size(), member.place);
  const std::string name = npy_label(header, member.bytes.data() + header.data_offset).value_or("");
  for (const auto& known : layouts)
    if (known.name == name) return known.layout;
  reject_array(member.place, header.data_offset,
               "sparse format " + quote_text(name) + " is not supported; expected csr, csc or coo",
               "save matrix.tocsr()");
}

std::unique_ptr<ArrayRows> open_sparse(const std::shared_ptr<OpenArchive>& archive) {
  const SparseLayout layout = read_layout(*archive);
  SparseMembers members;
  members.shape = archive->read("shape");
  members.data = archive->read("data");
  if (layout == SparseLayout::coo) {
    members.row = archive->read("row");
    members.col = archive->read("col");
  } else {
    members.indices = archive->read("indices");
    members.indptr = archive->read("indptr");
  }
  members.keep_alive = archive;
  return make_sparse_rows(layout, std::move(members));
}

std::unique_ptr<ArrayRows> open_dense(const std::shared_ptr<OpenArchive>& archive, const std::string& name) {
  const ArrayMember matrix = archive->read(name);
  return std::make_unique<DenseRows>(make_memory_source(matrix.bytes), matrix.place, archive);
}

}  // namespace

ArrayInput open_npz_input(Input& input, const ReadOptions& options) {
  const auto archive = std::make_shared<OpenArchive>(input, options.limits.max_expansion);
  ArrayInput opened;
  if (archive->has("format"))
    opened.rows = open_sparse(archive);
  else if (archive->has("X") || archive->has("x"))
    opened.rows = open_dense(archive, archive->has("X") ? "X" : "x");
  else
    throw InputError(
        {.message = "the archive has neither a sparse matrix (format, shape, data, indices, indptr) nor a "
                    "member X; it has " +
                    archive->listing(),
         .file = archive->file(),
         .code = "no-matrix"});
  const auto read = [&](const std::string& name) { return archive->read(name); };
  if (options.labels_file.empty() && archive->has("y")) {
    const ArrayMember labels = read("y");
    opened.labels = parse_label_array(labels.bytes, labels.place, options.limits, options.response);
  }
  if (!options.weight.empty()) {
    const ArrayMember weights = read(options.weight);
    opened.weights = parse_number_array(weights.bytes, weights.place);
    for (std::size_t row = 0; row < opened.weights.size(); ++row)
      if (opened.weights[row] < 0)
        reject_array(weights.place, 0,
                     fmt::format("the weight of row {} is negative; expected a number >= 0", row + 1));
  }
  if (!options.offset.empty()) {
    const ArrayMember offsets = read(options.offset);
    opened.offsets = parse_number_array(offsets.bytes, offsets.place);
  }
  if (!options.id.empty()) {
    const ArrayMember ids = read(options.id);
    opened.ids = parse_text_array(ids.bytes, ids.place);
  }
  return opened;
}

}  // namespace lazylogit::io
