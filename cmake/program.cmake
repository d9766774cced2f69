# bristle_program_beside(NAME SOURCES...): a program of its own that the command starts when it stands beside
# it. It is built with the tests or when it is asked for by name, and neither `cmake --install` nor the package
# takes it along unless asked for by its component: cmake --install build/release --component programs.
function(bristle_program_beside name)
  add_executable(${name} ${ARGN})
  if(NOT BRISTLE_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  set_target_properties(${name} PROPERTIES
    C_EXTENSIONS OFF
    RUNTIME_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:bristle>)
  install(TARGETS ${name} RUNTIME COMPONENT programs EXCLUDE_FROM_ALL)
endfunction()
