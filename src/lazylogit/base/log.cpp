#include "lazylogit/base/log.hpp"

namespace lazylogit {

Log& silent_log() noexcept {
  static Log log;
  return log;
}

}  // namespace lazylogit
