#include "lazylogit/io/formats/delimited_quick.hpp"

#define XXH_INLINE_ALL  // names are short: the call costs as much as the hash
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t longest_value = 16;  // of a category

// The field that ends at a mark.
std::string_view field_before(const char* base, const std::uint32_t* mark) noexcept {
  return {base + (mark[-1] + 1), mark[0] - (mark[-1] + 1)};
}
std::string_view field_text(const FieldIndex& index, std::uint32_t field) noexcept {
  return field_before(index.base(), index.marks() + field);
}

bool read_long_number(std::string_view text, double& value) noexcept {
  const char* const end = text.data() + text.size();
  NumberStatus status = NumberStatus::malformed;
  return !text.empty() && scan_number(text.data(), end, value, status) == end && status == NumberStatus::ok;
}

// False for nearly all cells that are not missing, without a look at their length.
bool may_be_missing(std::string_view text) noexcept {
  const auto first = static_cast<unsigned char>(text.front()), last = static_cast<unsigned char>(text.back());
  return first <= ' ' || last <= ' ' || first == '?' || first == 'N' || first == 'n';
}

}  // namespace

QuickRows::QuickRows(const ColumnEncoder& encoder, const std::vector<AppliedColumn>& columns,
                     const std::vector<std::uint32_t>& field_of, const ReadOptions& options) {
  const data::InputSpec& input = encoder.input();
  if (!input.hash_bits || options.limits.max_field_bytes < longest_value) return;
  mask_ = (std::uint32_t{1} << *input.hash_bits) - 1;
  std::size_t longest_run = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const AppliedColumn& column = columns[c];
    if (column.role != ColumnRole::feature) {
      roles_.push_back({&column, field_of[c]});
      continue;
    }
    const data::ColumnSpec& spec = encoder.column(column.feature);
    if (spec.type == data::ColumnType::numeric && std::isinf(encoder.above(column.feature))) {
      const bool joins = !steps_.empty() && steps_.back().numbers &&
                         numbers_.back().field + numbers_.back().count == field_of[c];
      if (!joins) {
        steps_.push_back({true, static_cast<std::uint32_t>(numbers_.size())});
        numbers_.push_back({field_of[c], static_cast<std::uint32_t>(feature_of_.size()), 0});
      }
      longest_run = std::max<std::size_t>(longest_run, ++numbers_.back().count);
      feature_of_.push_back(static_cast<std::uint32_t>(hash_feature_name(spec.name)) & mask_);
    } else if (spec.type == data::ColumnType::categorical && !spec.has_dropped_category) {
      steps_.push_back({false, static_cast<std::uint32_t>(categories_.size())});
      const std::string name = category_name(spec.name, {});
      Category category{field_of[c], static_cast<std::uint32_t>(name.size()), {name.begin(), name.end()}};
      category.name.resize(name.size() + longest_value);
      std::memcpy(&category.head, name.data(), std::min(name.size(), sizeof category.head));
      categories_.push_back(std::move(category));
    } else {
      return;
    }
  }
  seen_.resize(longest_run / number_group + 1);
  for (SeenNumbers& seen : seen_) seen.known = 0xFF;
  fits_ = true;
}

bool QuickRows::take(const FieldIndex& index, RowRoles& roles, RowBlock& out) {
  for (const Role& role : roles_) {
    const std::string_view text = field_text(index, role.field);
    if (roles.take(role.column->role, role.column->name, text, is_missing_cell(text), out)) return false;
  }
  const std::size_t begin = out.ids.size(),
                    room = begin + feature_of_.size() + categories_.size() + number_group;
  out.ids.resize(room);
  out.values64.resize(room);
  NumberEntries entries{out.ids.data() + begin, out.values64.data() + begin};
  other_ = false;
  bool taken = true;
  for (const Step& step : steps_) {
    taken = step.numbers ? take_numbers(numbers_[step.at], index, entries)
                         : take_category(categories_[step.at], index, entries);
    if (!taken) break;
  }
  out.ids.resize(begin + entries.size);
  out.values64.resize(begin + entries.size);
  return taken;
}

bool QuickRows::take_numbers(const Numbers& run, const FieldIndex& index, NumberEntries& entries) {
  const std::size_t before = entries.size;
  StoppedGroup group;
  NumberFields fields = {index.base(), index.marks() + run.field, run.first, run.count};
  for (;;) {
    const std::uint32_t at = take_numbers_(fields, seen_.data(), entries, group);
    fields = {fields.base, fields.ends + at, fields.column + at, fields.count - at};
    if (fields.count == 0) break;
    const std::uint32_t count = std::min<std::uint32_t>(number_group, fields.count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool known = (group.taken >> i & 1) != 0;
      double value = group.values[i];
      if (!known && !read_long_number(field_before(fields.base, fields.ends + i), value)) return false;
      entries.ids[entries.size] = fields.column + i;
      entries.values[entries.size] = value;
      entries.size += value != 0 ? 1 : 0;
    }
    fields = {fields.base, fields.ends + count, fields.column + count, fields.count - count};
  }
  for (std::size_t k = before; k < entries.size; ++k) {
    entries.ids[k] = feature_of_[entries.ids[k]];
    other_ |= entries.values[k] != 1;
  }
  return true;
}

// Of the column's name and the value. Sixteen bytes from the value on are readable; those after its end do no harm.
std::uint64_t QuickRows::hash_of(Category& category, std::string_view value) noexcept {
  const std::size_t size = category.prefix + value.size();
#if defined(__SSE2__)
  // A short name is put together in registers: what is loaded across the edge of a store just made waits for it.
  if (category.prefix < sizeof category.head && size <= longest_value) {
    const std::uint64_t first = number::load8(value.data()), second = number::load8(value.data() + 8);
    const unsigned shift = 8 * category.prefix;  // not 0: a name ends with a sign
    alignas(16) char name[longest_value];
    _mm_store_si128(reinterpret_cast<__m128i*>(name),
                    _mm_set_epi64x(static_cast<long long>(first >> (64 - shift) | second << shift),
                                   static_cast<long long>(category.head | first << shift)));
    return XXH3_64bits(name, size);
  }
#endif
  std::memcpy(category.name.data() + category.prefix, value.data(), longest_value);
  return XXH3_64bits(category.name.data(), size);
}

bool QuickRows::take_category(Category& category, const FieldIndex& index, NumberEntries& entries) const {
  const std::string_view text = field_text(index, category.field);
  if (text.size() - 1 >= longest_value || (may_be_missing(text) && is_missing_cell(text))) return false;
  entries.ids[entries.size] = static_cast<std::uint32_t>(hash_of(category, text)) & mask_;
  entries.values[entries.size++] = 1;
  return true;
}

}  // namespace lazylogit::io
