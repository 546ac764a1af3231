# Checks of the tree itself. Each is one script that prints what is wrong, by file and line, and fails.
foreach(check layers source_rules format)
  add_test(NAME checks.${check} COMMAND ${LAZYLOGIT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/${check}.py ${PROJECT_SOURCE_DIR})
  set_tests_properties(checks.${check} PROPERTIES LABELS checks SKIP_RETURN_CODE 77 TIMEOUT 600)
endforeach()
add_test(NAME checks.headers_alone COMMAND ${LAZYLOGIT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/headers_alone.py
         ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(checks.headers_alone PROPERTIES LABELS checks TIMEOUT 900 PROCESSORS 2)
