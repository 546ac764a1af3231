// Runs one command line and returns its exit code.
#pragma once

namespace lazylogit::cli {

int run(int argc, char** argv);

}  // namespace lazylogit::cli
