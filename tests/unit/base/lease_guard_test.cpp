#include "lazylogit/base/lease_guard.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "lazylogit/base/large_blocks.hpp"

namespace lazylogit {
namespace {

// A file of a few pages, mapped privately.
class LeaseGuardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = temporary_directory() + "/lazylogit-lease-XXXXXX";
    const int writer = ::mkstemp(path_.data());
    ASSERT_GE(writer, 0);
    ASSERT_EQ(::write(writer, text_.data(), text_.size()), static_cast<ssize_t>(text_.size()));
    ::close(writer);
    reader_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    data_ = ::mmap(nullptr, text_.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE, reader_, 0);
    ASSERT_NE(data_, MAP_FAILED);
  }
  void TearDown() override {
    ::munmap(data_, text_.size());
    ::close(reader_);
    ::unlink(path_.c_str());
  }
  std::string seen() const { return {static_cast<const char*>(data_), text_.size()}; }

  std::string path_, text_ = std::string(3 * 4096 + 5, 'a');
  int reader_ = -1;
  void* data_ = nullptr;
};

TEST_F(LeaseGuardTest, WhatWasMappedStaysWhenTheFileIsRewrittenOrCutOff) {
  const LeaseGuard guard(reader_, data_, text_.size());
  if (!guard.holds_lease()) GTEST_SKIP() << "no leases here";
  const int writer = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);  // waits for the guard
  ASSERT_GE(writer, 0);
  ASSERT_EQ(::write(writer, "bbb", 3), 3);
  ::close(writer);
  EXPECT_EQ(seen(), text_);
  EXPECT_FALSE(guard.holds_lease());
}

TEST_F(LeaseGuardTest, WithoutAWriterNothingHappens) {
  { const LeaseGuard guard(reader_, data_, text_.size()); }
  const int writer = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);  // the lease is gone
  EXPECT_GE(writer, 0);
  ::close(writer);
  EXPECT_EQ(seen(), text_);
}

TEST_F(LeaseGuardTest, AFileThatIsOpenForWritingHasNoLease) {
  const int writer = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  const LeaseGuard guard(reader_, data_, text_.size());
  EXPECT_FALSE(guard.holds_lease());
  ::close(writer);
}

}  // namespace
}  // namespace lazylogit
