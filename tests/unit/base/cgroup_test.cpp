#include "lazylogit/base/cgroup.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lazylogit {
namespace {

// A folder in place of the root of the file system.
class Cgroup : public testing::Test {
 protected:
  Cgroup() { std::filesystem::remove_all(root_); }
  ~Cgroup() override { std::filesystem::remove_all(root_); }
  void put(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  std::size_t cpus() const { return cgroup_cpus(root_.string()); }

 private:
  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) /
                                testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Cgroup, WithoutGroupsOrQuotasThereIsNoLimit) {
  EXPECT_EQ(cpus(), 0u);
  put("proc/self/cgroup", "0::/user.slice");
  put("sys/fs/cgroup/user.slice/cpu.max", "max 100000");
  EXPECT_EQ(cpus(), 0u);
}

TEST_F(Cgroup, TheQuotaOfTheOwnGroupCounts) {
  put("proc/self/cgroup", "0::/user.slice/job");
  put("sys/fs/cgroup/user.slice/job/cpu.max", "350000 100000");
  EXPECT_EQ(cpus(), 3u);
}

TEST_F(Cgroup, TheSmallestQuotaOnTheWayUpCounts) {
  put("proc/self/cgroup", "0::/a/b/c");
  put("sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
  put("sys/fs/cgroup/a/b/cpu.max", "400000 100000");
  put("sys/fs/cgroup/a/cpu.max", "200000 100000");
  EXPECT_EQ(cpus(), 2u);
  put("sys/fs/cgroup/cpu.max", "50000 100000");  // half a processor is one thread
  EXPECT_EQ(cpus(), 1u);
}

TEST_F(Cgroup, AContainerThatSeesItsOwnGroupAsTheRootIsLimited) {
  put("proc/self/cgroup", "0::/docker/0123");
  put("sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_EQ(cpus(), 2u);
  put("proc/self/cgroup", "0::/../other");
  EXPECT_EQ(cpus(), 2u);
}

TEST_F(Cgroup, QuotasOfVersionOneCount) {
  put("proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job/part\n1:cpuset:/job");
  put("sys/fs/cgroup/cpu,cpuacct/job/part/cpu.cfs_quota_us", "-1");
  put("sys/fs/cgroup/cpu,cpuacct/job/part/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpus(), 0u);
  put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000");
  put("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpus(), 3u);
}

TEST_F(Cgroup, TheControllerOfVersionOneMayBeMountedUnderItsOwnName) {
  put("proc/self/cgroup", "4:cpu:/job");
  put("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000");
  put("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpus(), 2u);
}

}  // namespace
}  // namespace lazylogit
