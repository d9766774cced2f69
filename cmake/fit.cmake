# libbristle-fit: parameters from measurements; cminpack for least squares, nothing else beyond libbristle.
if(BRISTLE_CMINPACK)
  find_package(PkgConfig)
  if(PkgConfig_FOUND)
    pkg_check_modules(CMINPACK cminpack)
  endif()
  if(NOT CMINPACK_FOUND)
    message(STATUS "cminpack (Debian: libcminpack-dev) is not here: libbristle-fit is built without it, and "
      "most fits will return BR_ERR_ABSENT")
  endif()
endif()
bristle_library(bristle-fit
  src/fit/fit_pressure.c
  src/fit/fit_pushes.c
  src/fit/footprint.c
  src/fit/contact_fit.c
  src/fit/contact_history.c
  src/fit/contact_history_1.c
  src/fit/contact_history_2.c
  src/fit/contact_history_4.c
  src/fit/contact_history_8.c
  src/fit/contact_parts.c
  src/fit/estimator.c
  src/fit/interval.c
  src/fit/law_check.c
  src/fit/law_fit.c
  src/fit/law_history.c
  src/fit/law_history_slopes.c
  src/fit/law_history_slopes_4.c
  src/fit/law_noise.c
  src/fit/law_position.c
  src/fit/law_problem.c
  src/fit/law_result.c
  src/fit/law_solve.c
  src/fit/law_table.c
  src/fit/numbers.c
  src/fit/pressure_trial.c
  src/fit/push_fit.c
  src/fit/push_track.c
  src/fit/online.c
  src/fit/supports.c
  src/math/nnls.c
  src/math/symmetric.c
  src/fit/$<IF:$<BOOL:${CMINPACK_FOUND}>,least_squares.c,least_squares_absent.c>)
# functions that need not set errno are left out where nothing uses their result
bristle_source_options(src/fit/contact_history_1.c src/fit/law_history.c src/fit/law_history_slopes.c
  OPTIONS -fno-math-errno)
bristle_source_options(src/fit/law_history_slopes_4.c OPTIONS ${kernel_options} ${kernel_4})
foreach(lanes IN ITEMS 2 4 8) # flags of kernel.cmake
  bristle_source_options(src/fit/contact_history_${lanes}.c
    OPTIONS ${kernel_options} ${kernel_${lanes}} -ffp-contract=fast)
endforeach()
bristle_link_libraries(bristle-fit bristle)
if(CMINPACK_FOUND)
  target_include_directories(bristle-fit-objects SYSTEM PRIVATE ${CMINPACK_INCLUDE_DIRS})
  target_compile_options(bristle-fit-objects PRIVATE ${CMINPACK_CFLAGS_OTHER})
  foreach(suffix IN ITEMS static shared)
    target_link_libraries(bristle-fit-${suffix} PRIVATE
      $<BUILD_INTERFACE:${CMINPACK_LINK_LIBRARIES}> $<INSTALL_INTERFACE:cminpack>)
  endforeach()
endif()
