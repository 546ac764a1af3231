# The Python package: a wheel, a clean environment, its tests. Not under sanitizers, whose runtime Python does not load.
if(NOT LAZYLOGIT_SANITIZE)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  add_test(NAME python.wheel
           COMMAND ${LAZYLOGIT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/run.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
                   ${CMAKE_CURRENT_BINARY_DIR}/python $<TARGET_FILE:lazylogit_app> ${CMAKE_BUILD_TYPE} "${CMAKE_CXX_FLAGS_${build_type}}")
  set_tests_properties(python.wheel PROPERTIES LABELS python TIMEOUT 2400 SKIP_RETURN_CODE 77 RUN_SERIAL ON)
endif()
