// How the program takes signals.
//
// SIGINT, SIGTERM and SIGHUP raise the flag behind `cancel_token()`: work stops at the next look, temporary
// files go, and `end_by_signal` ends the process by that same signal. Where no look comes within a second, or
// at a second signal, the handler removes the temporary files itself and ends at once. SIGPIPE ends quietly,
// after the same removal. SIGBUS is a mapped file that somebody cut off: an error of the environment, with exit code 3.
// SIGXFSZ is ignored, so that a file size limit is a write error like a full disk.
#pragma once

#include "lazylogit/base/cancel.hpp"

namespace lazylogit::cli {

void install_signal_handlers();
CancelToken cancel_token();
// How many seconds work has to stop after a signal (at first 1); more where it was asked to keep what it has.
void set_grace(int seconds);
// After a signal: takes as long as it needs from here on, because what is being written was asked for. A second signal
// still ends at once.
void lift_deadline();
// Ends the process by the signal that raised the flag; returns only when there was none.
void end_by_signal();

// Descriptors 0, 1 and 2 that are closed are opened on /dev/null in the direction nobody uses: no data file
// can get their numbers, and reading or writing them still fails as it would have.
void occupy_closed_streams();

}  // namespace lazylogit::cli
