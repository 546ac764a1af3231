// Preloaded into the program by process tests: makes the Nth call of one system call fail, once or from then
// on, or files slow.
//
//   LAZYLOGIT_FAIL=name:N:errno[:forever]   name is open, read, write, fsync, rename, close or new (an allocation)
//
//   LAZYLOGIT_SLOW=MILLISECONDS             before each piece of a file is read
//
// A count beyond the calls that a run makes changes nothing. Descriptors 0–2 are left alone, so that messages
// get out.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

struct Plan {
  char name[16] = "";
  long call = -1;
  int error = 0;
  bool forever = false;
};

Plan read_plan() {
  Plan plan;
  char tail[16] = "";
  if (const char* text = std::getenv("LAZYLOGIT_FAIL"))
    std::sscanf(text, "%15[^:]:%ld:%d:%15s", plan.name, &plan.call, &plan.error, tail);
  plan.forever = std::strcmp(tail, "forever") == 0;
  return plan;
}

bool fails(const char* name) {
  static const Plan plan = read_plan();
  static std::atomic<long> calls{0};
  if (std::strcmp(plan.name, name) != 0) return false;
  const long call = calls.fetch_add(1);
  if (call != plan.call && !(plan.forever && call > plan.call)) return false;
  errno = plan.error;
  return true;
}

void pause_before_reading() {
  static const char* const text = std::getenv("LAZYLOGIT_SLOW");
  if (text != nullptr) usleep(static_cast<useconds_t>(1000 * std::strtoul(text, nullptr, 10)));
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Every allocation of C++ comes here, because a preloaded definition comes first. Those of libraries that are being
// loaded are not the program's.
static std::atomic<bool> loaded{false};
__attribute__((constructor)) static void note_loaded() { loaded = true; }

void* operator new(std::size_t size) {
  void* block = loaded && fails("new") ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (fails("open")) return -1;
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  return real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (fails("open")) return -1;
  static const auto real = next<int (*)(const char*, int, ...)>("open64");
  return real(path, flags, mode);
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  if (descriptor > 2 && fails("read")) return -1;
  static const auto real = next<ssize_t (*)(int, void*, size_t)>("read");
  return real(descriptor, bytes, size);
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t offset) {
  pause_before_reading();
  static const auto real = next<ssize_t (*)(int, void*, size_t, off_t)>("pread");
  return real(descriptor, bytes, size, offset);
}

ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t offset) {
  pause_before_reading();
  static const auto real = next<ssize_t (*)(int, void*, size_t, off64_t)>("pread64");
  return real(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (descriptor > 2 && fails("write")) return -1;
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return real(descriptor, bytes, size);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (descriptor > 2 && fails("write")) return -1;
  static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
  return real(descriptor, parts, count);
}

int fsync(int descriptor) {
  if (fails("fsync")) return -1;
  static const auto real = next<int (*)(int)>("fsync");
  return real(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  if (fails("rename")) return -1;
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return real(from, to);
}

int close(int descriptor) {
  static const auto real = next<int (*)(int)>("close");
  if (descriptor > 2 && fails("close")) {
    const int error = errno;
    real(descriptor);  // as Linux does: the descriptor is gone, the error is told
    errno = error;
    return -1;
  }
  return real(descriptor);
}

}  // extern "C"
