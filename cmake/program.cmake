# bristle_program_beside(NAME SOURCES...): a program of its own that the command starts when it is beside
# it. Neither `cmake --install` nor the package takes it along unless it is requested by its component:
# cmake --install build/release --component programs.
function(bristle_program_beside name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    C_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:bristle>)
  install(TARGETS ${name} RUNTIME COMPONENT programs EXCLUDE_FROM_ALL)
endfunction()
