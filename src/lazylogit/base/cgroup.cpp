#include "lazylogit/base/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace lazylogit {
namespace {

// Of one group; 0 where it sets none or is not there. "max" fails to parse.
std::size_t limit_of(std::istream& quota_in, std::istream& period_in) {
  long long quota = 0, period = 0;
  if (!(quota_in >> quota) || !(period_in >> period) || quota <= 0 || period <= 0) return 0;
  return static_cast<std::size_t>(std::max(1LL, quota / period));
}

std::size_t limit_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  return limit_of(file, file);
}

std::size_t limit_v1(const std::string& folder) {
  std::ifstream quota(folder + "/cpu.cfs_quota_us"), period(folder + "/cpu.cfs_period_us");
  return limit_of(quota, period);
}

// The smallest limit of the group and of all above it, up to the mount.
std::size_t smallest(const std::string& mount, std::string group, std::size_t (*limit)(const std::string&)) {
  std::size_t least = 0;
  if (group.find("/..") != std::string::npos) group.clear();  // outside of what this process sees
  for (;;) {
    if (const std::size_t found = limit(mount + group); found > 0)
      least = least == 0 ? found : std::min(least, found);
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

bool lists(std::string_view controllers, std::string_view name) {
  while (!controllers.empty()) {
    const std::size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == name) return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

}  // namespace

std::size_t cgroup_cpus(const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup";
  std::size_t least = 0;
  const auto take = [&least](std::size_t found) {
    if (found > 0) least = least == 0 ? found : std::min(least, found);
  };
  take(smallest(mount, "", limit_v2));  // also where /proc says nothing
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // ID:CONTROLLERS:/PATH
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (controllers.empty()) {
      take(smallest(mount, path, limit_v2));
    } else if (lists(controllers, "cpu")) {
      for (const std::string& name : {controllers, std::string("cpu")})
        take(smallest(mount + "/" + name, path, limit_v1));
    }
  }
  return least;
}

}  // namespace lazylogit
