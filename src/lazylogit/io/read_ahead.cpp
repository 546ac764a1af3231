#include "lazylogit/io/read_ahead.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "lazylogit/base/background_thread.hpp"
#include "lazylogit/io/stop_reading.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t most_ahead = 2;

class ReadAhead final : public RowSource {
 public:
  ReadAhead(std::unique_ptr<RowSource> source, const CancelToken& cancel)
      : source_(std::move(source)), cancel_(cancel), thread_(start_background_thread([this] { run(); })) {}

  ~ReadAhead() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    taken_.notify_one();
    thread_.join();
  }

  bool next(data::Rows& rows) override {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    while (!ready_.wait_for(lock, 50ms, [this] { return !blocks_.empty() || ended_; }))
      cancel_.throw_if_cancelled();
    cancel_.throw_if_cancelled();
    if (blocks_.empty()) {
      if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
      return false;
    }
    std::swap(rows, blocks_.front());
    spares_.push_back(std::move(blocks_.front()));
    blocks_.pop_front();
    lock.unlock();
    taken_.notify_one();
    return true;
  }
  const ReadSummary& summary() const override { return source_->summary(); }

 private:
  void run() noexcept {
    const StopReading stop(stop_);
    std::exception_ptr error;
    try {
      while (read_one()) {
      }
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    error_ = error;
    ended_ = true;
    ready_.notify_one();
  }

  bool read_one() {
    data::Rows rows;
    {
      std::unique_lock lock(mutex_);
      taken_.wait(lock, [this] { return stop_ || blocks_.size() < most_ahead; });
      if (stop_) return false;
      if (!spares_.empty()) {
        rows = std::move(spares_.back());
        spares_.pop_back();
      }
    }
    if (!source_->next(rows)) return false;
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(rows));
    ready_.notify_one();
    return true;
  }

  std::unique_ptr<RowSource> source_;
  CancelToken cancel_;
  std::mutex mutex_;
  std::condition_variable ready_, taken_;
  std::deque<data::Rows> blocks_;
  std::vector<data::Rows> spares_;
  std::exception_ptr error_;
  std::atomic<bool> stop_ = false;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<RowSource> read_ahead(std::unique_ptr<RowSource> source, const CancelToken& cancel) {
  return std::make_unique<ReadAhead>(std::move(source), cancel);
}

}  // namespace lazylogit::io
