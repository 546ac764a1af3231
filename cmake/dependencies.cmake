# The libraries that do what is not our field. Debian 12 package names are in scripts/install_packages.sh.
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(absl REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_path(FAST_FLOAT_INCLUDE fast_float/fast_float.h REQUIRED)
# Linked by name, so that the installed package does not point at one machine's paths; here only for a clear message.
find_library(ZSTD_LIBRARY zstd REQUIRED)
find_library(HWY_LIBRARY hwy REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
