// Rows of a matrix that lies in memory in another form than compressed sparse rows, handed out as if it were one.
//
// A source reads memory that somebody else owns and keeps. A thread that asks for a row gets a piece of consecutive rows
// gathered into a space of its own, entries in order and without zeros, so that everything computed from rows has the same
// bytes whatever form they came in. Pieces are small against the matrix. Each thread has two of them: rows stay where they
// are while a pass goes over a block twice, and a row is valid until its thread has asked for two others.
// Whoever owns the memory must not write to it meanwhile. Values that change all the same give wrong numbers, but do not overrun
// a piece; indices are relied on.
//
// Forms: dense_source.hpp (strides, columns), compressed_sources.hpp (csr with wide indices or zeros, csc), encoded_source.hpp
// (columns of numbers and of codes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

class RowSource {
 public:
  RowSource();
  virtual ~RowSource();
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  // SparseMatrix::row_offsets: how many entries other than 0 the rows have.
  const Buffer<std::uint64_t>& offsets() const noexcept { return offsets_; }
  // Whether a row alone costs little more than its share of a pass; otherwise rows are to be asked for in order.
  virtual bool random_access() const noexcept { return true; }
  // Room for so many threads, so that none of them has to ask for memory when it asks for rows, which cannot fail there.
  // Throws std::bad_alloc. More threads than that get room when they come.
  void make_room(std::size_t threads) const;
  // The transposed matrix, where it lies there already; its ids are rows.
  virtual std::optional<SparseMatrix> columns() const { return std::nullopt; }

  template <class Value>
  RowView<Value> row(std::size_t i) const noexcept {
    const Piece& piece = find(i);
    return {{piece.id_places[i - piece.first], offsets_[i + 1] - offsets_[i]},
            static_cast<const Value*>(piece.value_places[i - piece.first])};
  }

 protected:
  // Some rows, each wherever its ids and its values are. A row that is written to the piece begins at `begin` of it and has
  // room for one entry more than it needs, so that loops may write before they know.
  struct Piece {
    std::size_t first = 0, last = 0;
    Buffer<const FeatureId*> id_places;
    Buffer<const void*> value_places;
    Buffer<FeatureId> ids;
    Buffer<double> values;  // room for floats too
    bool holds(std::size_t i) const noexcept { return first <= i && i < last; }
  };
  // What a thread has of a source.
  struct Worker {
    virtual ~Worker() = default;
    std::array<Piece, 2> pieces;
    std::size_t latest = 0;
  };

  // To be called once by constructors, when offsets_ are known: a piece has at most so many entries (but one row at least)
  // and rows. `row_cells`: the entries of a row with its zeros, at most; there is room for them behind the last row.
  void limit_pieces(std::size_t entries, std::size_t rows, std::size_t row_cells);
  // Entries of a piece that take `percent` of all of them, for the pieces of all threads together.
  std::size_t share_of_entries(std::size_t percent) const;
  std::size_t most_rows() const noexcept { return piece_rows_; }  // of a piece
  std::size_t begin(const Piece& piece, std::size_t i) const noexcept {
    return offsets_[i] - offsets_[piece.first] + (i - piece.first);
  }
  virtual std::unique_ptr<Worker> make_worker() const { return std::make_unique<Worker>(); }
  // Gathers the rows [piece.first, piece.last) and says where they are.
  virtual void gather(Piece& piece, Worker& worker) const noexcept = 0;

  Buffer<std::uint64_t> offsets_ = Buffer<std::uint64_t>(1, 0);

 private:
  const Piece& find(std::size_t i) const noexcept;
  const Piece& load(Worker& worker, std::size_t i) const noexcept;
  Worker& own_worker() const;
  std::unique_ptr<Worker> new_worker() const;

  const std::uint64_t number_;  // no two sources of a process have the same
  std::size_t piece_entries_ = 0, piece_rows_ = 1, row_cells_ = 0;
  mutable std::mutex mutex_;
  struct Owner {
    std::thread::id thread;  // of nobody: free
    std::unique_ptr<Worker> worker;
  };
  mutable std::vector<Owner> workers_;
};

// Threads that read rows: as many as there may be, and the one that waits for them.
std::size_t reading_threads();

// The matrix that reads from a source of float or double values.
template <class Value>
SparseMatrix matrix_over(std::shared_ptr<const RowSource> source, std::size_t num_features) {
  source->make_room(reading_threads());
  SparseMatrix x;
  x.row_offsets = Buffer<std::uint64_t>::borrow(source->offsets().data(), source->offsets().size());
  x.values = Buffer<Value>();
  x.num_features = num_features;
  x.source = std::move(source);
  return x;
}

// The same rows, stored as compressed sparse rows.
SparseMatrix stored(const SparseMatrix& x);

}  // namespace lazylogit::data
