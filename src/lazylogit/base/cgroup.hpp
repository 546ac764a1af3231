// How many processors the control groups of this process allow.
//
// A group may be limited by any of those above it: all from the process' own (in /proc/self/cgroup) up to the root of
// the hierarchy are asked. Version 2 has "QUOTA PERIOD" in cpu.max, version 1 has cpu.cfs_quota_us and
// cpu.cfs_period_us of the controller cpu; "max" and -1 are no limit. A container may see its own group as the root,
// under another path than /proc says; what is not there does not count.
#pragma once

#include <cstddef>
#include <string>

namespace lazylogit {

// The smallest quota over its period, rounded down, at least 1; 0: there is no limit. `root` is where /proc and /sys are.
std::size_t cgroup_cpus(const std::string& root = "");

}  // namespace lazylogit
