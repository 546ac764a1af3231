// The program: everything it does is in cli/run.
#include "lazylogit/cli/run.hpp"

int main(int argc, char** argv) { return lazylogit::cli::run(argc, argv); }
