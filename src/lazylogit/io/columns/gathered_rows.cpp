#include "lazylogit/io/columns/gathered_rows.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace lazylogit::io {
namespace {

void reserve(GatheredRows& all, std::size_t num_rows, std::size_t num_entries) {
  all.rows.x.row_offsets.reserve(1 + num_rows);
  all.rows.labels.reserve(num_rows);
  all.rows.x.ids.reserve(num_entries);
  if (!all.all_ones) all.values.reserve(num_entries);
  all.room_for_rows = num_rows;
  all.room_for_entries = num_entries;
}

}  // namespace

void reserve_gathered_rows(const RowBlock& first, double num_blocks, GatheredRows& all) {
  constexpr double most_blocks = 1 << 16, smallest_worth = 8;
  if (!(num_blocks >= smallest_worth)) return;
  const double blocks = std::min(num_blocks * 1.05, most_blocks);
  const auto room_for = [&](std::size_t size) {
    return static_cast<std::size_t>(static_cast<double>(size) * blocks);
  };
  try {
    reserve(all, room_for(first.num_rows()), room_for(first.ids.size()));
  } catch (const std::bad_alloc&) {  // a guess too large for this machine: grow step by step
  }
}

bool has_room(const GatheredRows& all, const RowBlock& block) noexcept {
  return all.room_for_rows - all.rows.num_rows() >= block.num_rows() &&
         all.room_for_entries - all.rows.x.ids.size() >= block.ids.size();
}

void store_ones(GatheredRows& all) {
  if (!all.all_ones) return;
  all.all_ones = false;
  all.values.reserve(all.room_for_entries);
  all.values.resize(all.rows.x.ids.size());
  std::fill(all.values.begin(), all.values.end(), 1.0);
}

void make_room(RowBlock& block, GatheredRows& all, RowPlacement& to) {
  data::Rows& rows = all.rows;
  const std::size_t rows_before = rows.num_rows(), rows_now = rows_before + block.num_rows();
  to.entries_before = rows.x.ids.size();
  const std::size_t entries_now = to.entries_before + block.ids.size();
  if (!has_room(all, block))
    reserve(all, std::max(rows_now, 2 * all.room_for_rows), std::max(entries_now, 2 * all.room_for_entries));
  if (!block.all_ones) store_ones(all);
  rows.x.row_offsets.resize(1 + rows_now);
  rows.labels.resize(rows_now);
  rows.x.ids.resize(entries_now);
  if (!all.all_ones) all.values.resize(entries_now);
  to.row_ends = rows.x.row_offsets.data() + 1 + rows_before;
  to.labels = rows.labels.data() + rows_before;
  to.ids = rows.x.ids.data() + to.entries_before;
  to.values = all.all_ones ? nullptr : all.values.data() + to.entries_before;
  rows.targets.append(block.targets.span());
  rows.weights.append(block.weights.span());
  rows.offsets.append(block.offsets.span());
  for (std::string& id : block.row_ids) rows.ids.push_back(std::move(id));
}

void place_rows(const RowBlock& block, const RowPlacement& to) noexcept {
  for (std::size_t r = 0; r < block.num_rows(); ++r) {
    to.row_ends[r] = to.entries_before + block.row_ends[r];
    const std::uint32_t label = block.row_labels[r];
    to.labels[r] = label == no_label ? unknown_class : to.to_labels[label];
  }
  std::uint32_t* id_to = to.ids;
  for (const std::uint32_t id : block.ids) *id_to++ = to.to_table[id];
  if (to.values != nullptr && !block.values64.empty())
    std::memcpy(to.values, block.values64.data(), block.values64.size() * sizeof(double));
}

}  // namespace lazylogit::io
