// Processor time of this process, all threads together.
#pragma once

namespace lazylogit {

double processor_seconds();

}  // namespace lazylogit
