// Whether a sanitizer is in charge of this program's memory: LAZYLOGIT_SANITIZED is defined then.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define LAZYLOGIT_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LAZYLOGIT_SANITIZED
#endif
