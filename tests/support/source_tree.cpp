#include "support/source_tree.hpp"

namespace lazylogit::test {

std::filesystem::path source_tree() { return LAZYLOGIT_SOURCE_DIR; }

}  // namespace lazylogit::test
