# An outside C++ project uses the installed library: examples/cpp, built with find_package(lazylogit) and run.
if(LAZYLOGIT_SANITIZE STREQUAL "")
  add_test(NAME install.outside_program
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/outside_program.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER})
  set_tests_properties(install.outside_program PROPERTIES LABELS install TIMEOUT 900)
endif()
