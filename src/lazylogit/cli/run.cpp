#include "lazylogit/cli/run.hpp"

namespace lazylogit::cli {

int run(int, char**) { return 2; }

}  // namespace lazylogit::cli
