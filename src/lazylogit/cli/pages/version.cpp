#include <fmt/format.h>
#include <hwy/highway.h>
#include <tbb/version.h>
#include <zlib.h>
#include <zstd.h>

#include "lazylogit/cli/pages/pages.hpp"

namespace lazylogit::cli {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

// Lower bits are better targets; the lowest supported one is what dispatch takes.
std::string simd_target() {
  const auto supported = hwy::SupportedTargets();
  return hwy::TargetName(supported & -supported);
}

}  // namespace

std::string version_number() { return LAZYLOGIT_VERSION; }

std::string version_text() {
  return fmt::format(
      "lazylogit {}\ncompiler: {}, C++{}\nSIMD target: {}\n"
      "features: threads (oneTBB {}.{}), gzip (zlib {}), zstd ({})\n",
      version_number(), compiler(), __cplusplus / 100 % 100, simd_target(), TBB_VERSION_MAJOR,
      TBB_VERSION_MINOR, zlibVersion(), ZSTD_versionString());
}

}  // namespace lazylogit::cli
