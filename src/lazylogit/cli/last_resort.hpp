// How the program ends when an exception can go nowhere: no memory to report an error, or a destructor of a library
// that allocates and fails. One line on standard error, temporary files removed, the exit code as promised (3 out of
// memory, 70 otherwise) instead of an abort.
#pragma once

namespace lazylogit::cli {

// Replaces std::terminate's default, for the rest of the process.
void install_last_resort() noexcept;

// Ends the process because of the exception that is being handled.
[[noreturn]] void end_at_once() noexcept;

}  // namespace lazylogit::cli
