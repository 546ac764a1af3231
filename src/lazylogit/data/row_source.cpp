#include "lazylogit/data/row_source.hpp"

#include <algorithm>
#include <atomic>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::data {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// A pass that leaves out rows of weight 0 still goes on.
constexpr std::size_t near = 256;

}  // namespace

RowSource::RowSource() : number_(next_number()) {}
RowSource::~RowSource() = default;

void RowSource::limit_pieces(std::size_t entries, std::size_t rows, std::size_t row_cells) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i + 1 < offsets_.size(); ++i)
    longest = std::max<std::size_t>(longest, offsets_[i + 1] - offsets_[i]);
  piece_entries_ = std::max(std::min<std::size_t>(entries, offsets_.back()), longest);
  piece_rows_ = std::max<std::size_t>(1, std::min(rows, offsets_.size() - 1));
  row_cells_ = row_cells;
}

std::size_t RowSource::share_of_entries(std::size_t percent) const {
  return offsets_.back() / 100 * percent / (2 * (allowed_cpus() + 1));  // and the thread that waits for them
}

std::unique_ptr<RowSource::Worker> RowSource::new_worker() const {
  std::unique_ptr<Worker> worker = make_worker();
  for (Piece& piece : worker->pieces) {
    piece.id_places.resize(piece_rows_);
    piece.value_places.resize(piece_rows_);
    piece.ids.resize(piece_entries_ + piece_rows_ + row_cells_);
    piece.values.resize(piece_entries_ + piece_rows_ + row_cells_);
  }
  return worker;
}

void RowSource::make_room(std::size_t threads) const {
  const std::lock_guard lock(mutex_);
  workers_.reserve(threads);
  while (workers_.size() < threads) workers_.push_back({{}, new_worker()});
}

RowSource::Worker& RowSource::own_worker() const {
  const std::lock_guard lock(mutex_);
  const std::thread::id self = std::this_thread::get_id();
  const auto of = [&](std::thread::id thread) {
    return std::find_if(workers_.begin(), workers_.end(), [&](const Owner& o) { return o.thread == thread; });
  };
  if (const auto own = of(self); own != workers_.end()) return *own->worker;
  if (const auto unused = of({}); unused != workers_.end()) {
    unused->thread = self;
    return *unused->worker;
  }
  return *workers_.emplace_back(Owner{self, new_worker()}).worker;
}

std::size_t reading_threads() { return std::max(allowed_cpus(), current_threads()) + 1; }

const RowSource::Piece& RowSource::find(std::size_t i) const noexcept {
  thread_local struct {
    std::uint64_t source = 0;
    Worker* worker = nullptr;
  } last;
  if (last.source != number_) last = {number_, &own_worker()};
  Worker& worker = *last.worker;
  if (worker.pieces[worker.latest].holds(i)) return worker.pieces[worker.latest];
  if (worker.pieces[1 - worker.latest].holds(i)) return worker.pieces[1 - worker.latest];
  return load(worker, i);
}

// Pieces double while rows are asked for in order: a row that is asked for alone comes alone.
const RowSource::Piece& RowSource::load(Worker& worker, std::size_t i) const noexcept {
  const Piece& before = worker.pieces[worker.latest];
  const bool goes_on = before.last > before.first && i >= before.last && i - before.last < near;
  const std::size_t rows = !random_access() ? piece_rows_
                           : goes_on        ? std::min(piece_rows_, 2 * (before.last - before.first))
                                            : 1;
  worker.latest = 1 - worker.latest;
  Piece& piece = worker.pieces[worker.latest];
  piece.first = i;
  piece.last = i + 1;
  const std::size_t end = std::min(i + rows, offsets_.size() - 1);
  while (piece.last < end && offsets_[piece.last + 1] - offsets_[i] <= piece_entries_) ++piece.last;
  gather(piece, worker);
  return piece;
}

template <class Value>
RowView<Value> source_row(const RowSource& source, std::size_t i) noexcept {
  return source.row<Value>(i);
}
template RowView<float> source_row(const RowSource& source, std::size_t i) noexcept;
template RowView<double> source_row(const RowSource& source, std::size_t i) noexcept;

SparseMatrix stored(const SparseMatrix& x) {
  SparseMatrix result;
  result.num_features = x.num_features;
  result.row_offsets = x.row_offsets;
  result.ids.resize(x.num_nonzeros());
  x.visit_rows([&]<class Value>(const RowsView<Value>& view) {
    Value* values = nullptr;
    if constexpr (!std::is_same_v<Value, One>) {
      auto& to = result.values.template emplace<Buffer<Value>>();
      to.resize(x.num_nonzeros());
      values = to.data();
    }
    for (std::size_t i = 0; i < view.num_rows; ++i) {
      const auto row = view.row(i);
      std::copy(row.ids.begin(), row.ids.end(), result.ids.data() + x.row_offsets[i]);
      if constexpr (!std::is_same_v<Value, One>)
        std::copy_n(row.values, row.size(), values + x.row_offsets[i]);
    }
  });
  return result;
}

}  // namespace lazylogit::data
