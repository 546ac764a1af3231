# Transcripts of a terminal, one test per file; see transcript.py.
file(GLOB transcripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.t)
foreach(transcript ${transcripts})
  get_filename_component(name ${transcript} NAME_WE)
  add_test(NAME cli.${name}
           COMMAND ${LAZYLOGIT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/transcript.py $<TARGET_FILE:lazylogit_app> ${transcript})
  set_tests_properties(cli.${name} PROPERTIES LABELS cli TIMEOUT 300)
endforeach()
add_test(NAME cli.reference_is_current
         COMMAND ${LAZYLOGIT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/reference_is_current.py $<TARGET_FILE:lazylogit_app>
                 ${PROJECT_SOURCE_DIR}/docs/reference/commands.md)
set_tests_properties(cli.reference_is_current PROPERTIES LABELS cli)
add_test(NAME cli.completions_are_whole
         COMMAND ${LAZYLOGIT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/completions_are_whole.py $<TARGET_FILE:lazylogit_app>)
set_tests_properties(cli.completions_are_whole PROPERTIES LABELS cli)
