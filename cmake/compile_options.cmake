# Warnings, hardening and sanitizers shared by every target of the project.
add_library(lazylogit_options INTERFACE)
target_compile_options(lazylogit_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -fstack-protector-strong
  -ffp-contract=off)  # the same bits with and without fused multiply-add; kernels that want it say so
if(LAZYLOGIT_WERROR)
  target_compile_options(lazylogit_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these inside fmt and the standard library at -O2 and above; clang++ checks the same code without them.
  target_compile_options(lazylogit_options INTERFACE
    -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict -Wno-maybe-uninitialized -Wno-psabi)
endif()
# Where files are compiled together, a local variable may be called what a neighbour calls a function, and g++ takes the files
# for headers, whose anonymous namespaces it warns of; file by file the warnings stay.
set(is_unity $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
target_compile_options(lazylogit_options INTERFACE
  $<${is_unity}:-Wno-shadow> $<$<AND:${is_unity},$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND LAZYLOGIT_SANITIZE STREQUAL "")
  target_compile_definitions(lazylogit_options INTERFACE _FORTIFY_SOURCE=2)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT LAZYLOGIT_SANITIZE STREQUAL "")
  target_compile_definitions(lazylogit_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
target_link_options(lazylogit_options INTERFACE -Wl,-z,relro,-z,now)
if(NOT LAZYLOGIT_SANITIZE STREQUAL "")
  target_compile_options(lazylogit_options INTERFACE
    -fsanitize=${LAZYLOGIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lazylogit_options INTERFACE -fsanitize=${LAZYLOGIT_SANITIZE})
endif()
if(LAZYLOGIT_FUZZ)
  target_compile_options(lazylogit_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(lazylogit_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
