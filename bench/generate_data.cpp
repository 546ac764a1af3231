// generate_data rcv|news|ctr ROWS OUT [CLASSES [SEED]]: writes OUT.train.svm and OUT.test.svm (a tenth of the
// rows).
#include <cstdio>
#include <exception>
#include <string>

#include "support/measure.hpp"
#include "support/synthetic_data.hpp"

int main(int argc, char** argv) {
  using lazylogit::bench::Kind;
  const std::string name = argc > 1 ? argv[1] : "";
  if (argc < 4 || (name != "rcv" && name != "news" && name != "ctr")) {
    std::fputs("usage: generate_data rcv|news|ctr ROWS OUT [CLASSES [SEED]]\n", stderr);
    return 2;
  }
  lazylogit::bench::SyntheticOptions options;
  options.kind = name == "rcv" ? Kind::rcv : name == "news" ? Kind::news : Kind::ctr;
  options.rows = lazylogit::bench::count_from(argv[2]);
  options.classes = argc > 4 ? static_cast<int>(lazylogit::bench::count_from(argv[4])) : 20;
  options.seed = argc > 5 ? static_cast<std::uint64_t>(lazylogit::bench::count_from(argv[5])) : 1;
  const std::string out = argv[3];
  try {
    write_synthetic(options, out + ".train.svm", out + ".test.svm");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
