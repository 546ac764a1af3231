# How the program behaves as a process. One unittest file per subject; LAZYLOGIT_LONG=1 runs the long loops.
file(GLOB process_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_test.py)
add_library(lazylogit_failing_calls MODULE ${CMAKE_CURRENT_LIST_DIR}/failing_calls.cpp)
target_link_libraries(lazylogit_failing_calls PRIVATE dl)
foreach(file ${process_tests})
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "_test$" "" name ${name})
  add_test(NAME process.${name} COMMAND ${LAZYLOGIT_PYTHON} -B ${file})
  set_tests_properties(process.${name} PROPERTIES LABELS process TIMEOUT 3000 SKIP_RETURN_CODE 77 ENVIRONMENT
    "LAZYLOGIT_PROGRAM=$<TARGET_FILE:lazylogit_app>;LAZYLOGIT_SANITIZE=${LAZYLOGIT_SANITIZE};LAZYLOGIT_FAILING_CALLS=$<TARGET_FILE:lazylogit_failing_calls>")
endforeach()
