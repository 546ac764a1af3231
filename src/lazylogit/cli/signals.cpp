#include "lazylogit/cli/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/exit_code.hpp"

namespace lazylogit::cli {
namespace {

std::atomic<bool> cancel_flag{false};
std::atomic<int> first_signal{0};
std::atomic<int> grace{1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// Async-signal-safe. The signal is blocked while its handler runs: it ends the process when the handler
// returns.
void end_now(int signal_number) {
  remove_pending_outputs();
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

extern "C" void on_stop(int signal_number) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal_number)) return end_now(signal_number);
  cancel_flag.store(true, std::memory_order_relaxed);
  alarm(static_cast<unsigned>(grace.load()));
}

extern "C" void on_alarm(int) { end_now(first_signal.load()); }
extern "C" void on_pipe(int signal_number) { end_now(signal_number); }

// A page of a mapped file (base/large_blocks.hpp) that is not there any more.
extern "C" void on_missing_page(int) {
  static constexpr char message[] =
      "error: a file in use was cut off, or the disk has no room for a temporary file\n";
  remove_pending_outputs();
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0) _exit(exit_environment);
  _exit(exit_environment);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler =
      handler;  // no SA_RESTART: a blocked read returns, so that its caller can look at the flag
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal_number : {SIGINT, SIGTERM}) handle(signal_number, on_stop);
  struct sigaction inherited = {};
  sigaction(SIGHUP, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) handle(SIGHUP, on_stop);  // nohup stays in force
  handle(SIGALRM, on_alarm);
  handle(SIGPIPE, on_pipe);
  handle(SIGXFSZ, SIG_IGN);
  handle(SIGBUS, on_missing_page);
}

CancelToken cancel_token() { return CancelToken(&cancel_flag); }

void set_grace(int seconds) { grace.store(seconds); }

void lift_deadline() { alarm(0); }

void end_by_signal() {
  const int signal_number = first_signal.load();
  if (signal_number == 0) return;
  remove_pending_outputs();
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void occupy_closed_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is `descriptor`, because all below are in use.
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace lazylogit::cli
