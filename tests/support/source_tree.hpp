// Where the project's sources lie, for tests that read files of the tree. In a file of its own, so that no other test's
// object depends on the place of the clone: the compiler cache then serves every clone on a machine.
#pragma once

#include <filesystem>

namespace lazylogit::test {

std::filesystem::path source_tree();

}  // namespace lazylogit::test
