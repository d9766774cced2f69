# How every library of bristle is built: compiled once, as a static and as a shared library.

add_library(bristle_options INTERFACE)
target_compile_features(bristle_options INTERFACE c_std_17)
target_compile_options(bristle_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # tests widen to long double in their oracles, and NAN is a float: clang warns of both
  $<$<NOT:$<AND:$<C_COMPILER_ID:Clang>,$<BOOL:$<TARGET_PROPERTY:BRISTLE_WIDENS>>>>:-Wdouble-promotion>
  -Wstrict-prototypes -Wmissing-prototypes -Wvla -ffp-contract=off
  $<$<BOOL:${BRISTLE_WERROR}>:-Werror>)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32) # a module is one piece
  set_target_properties(bristle_options PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)
endif()

# bristle_library(NAME SOURCES...): targets NAME-static and NAME-shared, exported as
# bristle::NAME-static and bristle::NAME-shared, with bristle::NAME for the one to take by default.
function(bristle_library name)
  add_library(${name}-objects OBJECT ${ARGN})
  target_link_libraries(${name}-objects PRIVATE bristle_options)
  set_target_properties(${name}-objects PROPERTIES C_VISIBILITY_PRESET hidden C_EXTENSIONS OFF)
  target_include_directories(${name}-objects PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/src)

  foreach(kind IN ITEMS STATIC SHARED)
    string(TOLOWER ${kind} suffix)
    add_library(${name}-${suffix} ${kind} $<TARGET_OBJECTS:${name}-objects>)
    add_library(bristle::${name}-${suffix} ALIAS ${name}-${suffix})
    target_link_libraries(${name}-${suffix} PRIVATE m)
    target_include_directories(${name}-${suffix} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${name}-${suffix} PROPERTIES
      OUTPUT_NAME ${name}
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      INSTALL_RPATH $ORIGIN # libbristle-sim finds the libbristle beside it
      LINKER_LANGUAGE C)
    set_property(GLOBAL APPEND PROPERTY bristle_libraries ${name}-${suffix})
  endforeach()

  # inside another project nothing of ours is installed: link what stays inside the program
  if(PROJECT_IS_TOP_LEVEL OR BUILD_SHARED_LIBS)
    add_library(bristle::${name} ALIAS ${name}-shared)
  else()
    add_library(bristle::${name} ALIAS ${name}-static)
  endif()
endfunction()

# bristle_link_libraries(NAME DEPENDENCY): NAME, in both kinds, depends on DEPENDENCY.
function(bristle_link_libraries name dependency)
  foreach(suffix IN ITEMS static shared)
    target_link_libraries(${name}-${suffix} PUBLIC ${dependency}-${suffix})
  endforeach()
endfunction()
