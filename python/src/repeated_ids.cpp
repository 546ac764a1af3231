#include "repeated_ids.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

namespace lazylogit::python {
namespace {

constexpr std::size_t small_count = std::size_t{1} << 16;  // up to so many numbers are stored
constexpr std::size_t most_mappings = 1024;

void fill(FeatureId* ids, std::size_t width, std::size_t times) {
  for (std::size_t t = 0; t < times; ++t, ids += width) std::iota(ids, ids + width, FeatureId{0});
}

RepeatedIds stored(std::size_t width, std::size_t times) {
  auto ids = std::make_shared<std::vector<FeatureId>>(width * times);
  fill(ids->data(), width, times);
  return {ids->data(), ids};
}

// Rows are often predicted one by one: the numbers of the last call serve again.
RepeatedIds small_ids(std::size_t width, std::size_t times) {
  static std::mutex mutex;
  static RepeatedIds last;
  static std::size_t last_width = 0, last_times = 0;
  const std::lock_guard lock(mutex);
  if (last_width != width || last_times < times) {
    last = stored(width, times);
    last_width = width;
    last_times = times;
  }
  return last;
}

struct Region {
  void* start = MAP_FAILED;
  std::size_t bytes = 0;
  ~Region() {
    if (start != MAP_FAILED) ::munmap(start, bytes);
  }
};

class Piece {
 public:
  Piece() : descriptor_(::memfd_create("ids", MFD_CLOEXEC)) {}
  ~Piece() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  bool write(std::size_t bytes, std::size_t width) {
    if (descriptor_ < 0 || ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) return false;
    void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (place == MAP_FAILED) return false;
    fill(static_cast<FeatureId*>(place), width, bytes / sizeof(FeatureId) / width);
    ::munmap(place, bytes);
    return true;
  }
  bool map(void* place, std::size_t bytes) const {
    return ::mmap(place, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor_, 0) != MAP_FAILED;
  }

 private:
  int descriptor_;
};

// Nothing where a call to the system fails.
RepeatedIds mapped(std::size_t width, std::size_t times) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t total = width * times * sizeof(FeatureId);
  const std::size_t unit = std::lcm(width * sizeof(FeatureId), page);
  const std::size_t units = std::max<std::size_t>(1, (total / most_mappings + unit - 1) / unit);
  const std::size_t piece_bytes = unit * units;
  if (piece_bytes > total / 2) return {};
  auto region = std::make_shared<Region>();
  region->bytes = (total + page - 1) / page * page;
  region->start =
      ::mmap(nullptr, region->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region->start == MAP_FAILED) return {};
  Piece piece;
  if (!piece.write(piece_bytes, width)) return {};
  for (std::size_t at = 0; at < region->bytes; at += piece_bytes)
    if (!piece.map(static_cast<char*>(region->start) + at, std::min(piece_bytes, region->bytes - at)))
      return {};
  return {static_cast<const FeatureId*>(region->start), region};
}

}  // namespace

RepeatedIds repeated_ids(std::size_t width, std::size_t times) {
  if (width * times <= small_count) return small_ids(width, times);
  RepeatedIds ids = mapped(width, times);
  return ids.ids != nullptr ? ids : stored(width, times);
}

}  // namespace lazylogit::python
