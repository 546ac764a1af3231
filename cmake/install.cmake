# make install: the program, its man page and completions, and the library for find_package(lazylogit).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lazylogit)

install(TARGETS lazylogit_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The command line is the program's own: C++ users get every other layer.
get_property(layers GLOBAL PROPERTY LAZYLOGIT_LAYERS)
list(REMOVE_ITEM layers lazylogit_cli)
foreach(layer ${layers})
  string(REPLACE "lazylogit_" "" short ${layer})
  set_target_properties(${layer} PROPERTIES EXPORT_NAME ${short})
endforeach()
install(TARGETS lazylogit ${layers} EXPORT lazylogit_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT lazylogit_targets NAMESPACE lazylogit:: FILE lazylogitTargets.cmake DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/lazylogit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN cli EXCLUDE)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/lazylogitConfig.cmake.in
  ${PROJECT_BINARY_DIR}/lazylogitConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lazylogitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lazylogitConfig.cmake ${PROJECT_BINARY_DIR}/lazylogitConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program writes its own man page and completions from its option tables, so they cannot differ from it.
if(NOT CMAKE_CROSSCOMPILING)
  install(CODE "
    set(program \"${PROJECT_BINARY_DIR}/lazylogit\")
    set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    function(write_generated file)
      execute_process(COMMAND \${program} \${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status)
      if(NOT status EQUAL 0)
        message(FATAL_ERROR \"\${program} \${ARGN} failed\")
      endif()
      file(WRITE \"\${root}/\${file}\" \"\${text}\")
      message(STATUS \"Installing: \${root}/\${file}\")
    endfunction()
    write_generated(${CMAKE_INSTALL_MANDIR}/man1/lazylogit.1 --man)
    write_generated(${CMAKE_INSTALL_DATADIR}/bash-completion/completions/lazylogit --completions bash)
    write_generated(${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_lazylogit --completions zsh)
    write_generated(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/lazylogit.fish --completions fish)
  ")
endif()
