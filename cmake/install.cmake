# cmake --install, `uninstall`, the CMake package and the pkg-config files.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY bristle_libraries)
foreach(library IN LISTS libraries)
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
install(TARGETS ${libraries} EXPORT bristle-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/bristle ${PROJECT_BINARY_DIR}/include/bristle
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.gif")
# where README and guide, which use them, look for them
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv" PATTERN "README.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c"
  PATTERN "*.cpp" PATTERN "*.py" PATTERN "*.csv" PATTERN "README.md"
  PATTERN "*.ipynb" PATTERN "__pycache__" EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bristle)
install(EXPORT bristle-targets NAMESPACE bristle:: DESTINATION ${package_dir})
configure_package_config_file(cmake/bristleConfig.cmake.in bristleConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# before 1.0 a minor version may break: the same rule as the SOVERSION
write_basic_package_version_file(bristleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bristleConfig.cmake
  ${PROJECT_BINARY_DIR}/bristleConfigVersion.cmake DESTINATION ${package_dir})

set(pc_files bristle)
if(BRISTLE_OPENMP)
  set(private_libraries "${OpenMP_C_FLAGS} ")
endif()
if(BRISTLE_SIM)
  list(APPEND pc_files bristle-sim)
  if(BRISTLE_CVODE)
    set(sim_private_libraries
      "-lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense ")
  endif()
endif()
if(BRISTLE_SCENARIO)
  list(APPEND pc_files bristle-scenario)
  if(BRISTLE_YAML)
    set(scenario_private_libraries "-lyaml ")
  endif()
endif()
if(BRISTLE_FIT)
  list(APPEND pc_files bristle-fit)
  if(CMINPACK_FOUND)
    set(fit_private_libraries "-lcminpack ")
  endif()
endif()
if(TARGET bristle-rigid-shared)
  list(APPEND pc_files bristle-rigid)
endif()
if(TARGET bristle-mujoco-shared)
  list(APPEND pc_files bristle-mujoco)
endif()
if(TARGET bristle-opencl-shared)
  list(APPEND pc_files bristle-opencl)
endif()
# written at install time: `cmake --install --prefix` may name another prefix than configuring did
configure_file(cmake/pkgconfig.cmake.in pkgconfig.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/pkgconfig.cmake)

configure_file(cmake/uninstall.cmake.in uninstall.cmake @ONLY)
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake
  COMMENT "Removing what the last install wrote")
