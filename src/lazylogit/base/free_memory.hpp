// Memory that was freed and that the allocator keeps for later.
#pragma once

namespace lazylogit {

// Gives it back to the system, as far as the allocator can: after large pieces of many sizes it may be as much as what is in
// use. Takes time in proportion to the number of free pieces.
void release_free_memory() noexcept;

}  // namespace lazylogit
