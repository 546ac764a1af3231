# Other people's libraries open what we write. Needs a package from a registry: skipped where none can be reached.
add_test(NAME interop.safetensors COMMAND ${CMAKE_CURRENT_LIST_DIR}/with_packages.sh ${LAZYLOGIT_PYTHON}
         ${PROJECT_BINARY_DIR}/venv "safetensors numpy" ${CMAKE_CURRENT_LIST_DIR}/safetensors_test.py)
set_tests_properties(interop.safetensors PROPERTIES LABELS interop TIMEOUT 600 SKIP_RETURN_CODE 77
  ENVIRONMENT "LAZYLOGIT_PROGRAM=$<TARGET_FILE:lazylogit_app>")
