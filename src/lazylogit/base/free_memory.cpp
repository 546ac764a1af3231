#include "lazylogit/base/free_memory.hpp"

#include <cstdlib>  // says which library this is
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lazylogit {

void release_free_memory() noexcept {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace lazylogit
