#include "lazylogit/cli/last_resort.hpp"

#include <unistd.h>

#include <exception>
#include <new>
#include <string_view>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/exit_code.hpp"

namespace lazylogit::cli {
namespace {

bool out_of_memory() noexcept {
  const std::exception_ptr problem = std::current_exception();
  if (problem == nullptr) return false;
  try {
    std::rethrow_exception(problem);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

void install_last_resort() noexcept { std::set_terminate(end_at_once); }

void end_at_once() noexcept {
  const bool memory = out_of_memory();
  const std::string_view line =
      memory ? "error: out of memory; --hash-bits, --min-count or --precision float32 need less\n"
             : "error: internal error: an exception that nothing could take\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  remove_pending_outputs();
  ::_exit(memory ? exit_environment : exit_internal);
}

}  // namespace lazylogit::cli
