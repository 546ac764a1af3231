#include "unit/base/limited_new.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "support/sanitized.hpp"

namespace lazylogit::test {
thread_local long allocations_left = -1;
}

#ifndef LAZYLOGIT_SANITIZED

[[gnu::noinline]] void* operator new(std::size_t size) {
  using lazylogit::test::allocations_left;
  void* const block = allocations_left == 0 ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (allocations_left >= 0) --allocations_left;
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace lazylogit {
namespace {

TEST(LimitedNew, FailsOnceWhereTheLimitIs) {
  test::allocations_left = 1;
  void* const first =
      ::operator new(8);  // called as a function: a new expression may be left out by the compiler
  EXPECT_THROW(::operator delete(::operator new(8)), std::bad_alloc);
  ::operator delete(::operator new(8));
  ::operator delete(first);
  EXPECT_LT(test::allocations_left, 0);
}

}  // namespace
}  // namespace lazylogit

#endif
