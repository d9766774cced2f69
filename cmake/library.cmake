# How every library of bristle is built: compiled once, as a static and as a shared library.

add_library(bristle_options INTERFACE)
target_compile_features(bristle_options INTERFACE c_std_17)

# where ISO C computes a float as a longer number (x87, s390x), it does not fit into a vector: src/math/processor.h
if(NOT BRISTLE_SCALAR AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -std=c17)
  check_c_source_compiles("#include <float.h>
    int main(void) { int is_longer[FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2 ? 1 : -1]; return sizeof is_longer == 0; }"
    bristle_floats_are_longer)
  unset(CMAKE_REQUIRED_FLAGS)
  if(bristle_floats_are_longer)
    set(BRISTLE_SCALAR ON)
  endif()
endif()
target_compile_definitions(bristle_options INTERFACE $<$<BOOL:${BRISTLE_SCALAR}>:BRISTLE_SCALAR>)

# options of GNU C, which clang knows, too; other compilers round a * b + c twice by default
if(MSVC)
  target_compile_options(bristle_options INTERFACE /W3 /utf-8 /Zc:preprocessor /fp:precise)
  target_compile_definitions(bristle_options INTERFACE _CRT_SECURE_NO_WARNINGS)
elseif(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  set(bristle_gnu_options ON)
  target_compile_options(bristle_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    # tests widen to long double in their oracles, and NAN is a float: clang warns of both
    $<$<NOT:$<AND:$<C_COMPILER_ID:Clang>,$<BOOL:$<TARGET_PROPERTY:BRISTLE_WIDENS>>>>:-Wdouble-promotion>
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -ffp-contract=off
    $<$<BOOL:${BRISTLE_WERROR}>:-Werror>)
endif()

# bristle_source_options(FILES... OPTIONS ...): options of GNU C for some sources.
function(bristle_source_options)
  cmake_parse_arguments(PARSE_ARGV 0 of "" "" OPTIONS)
  if(bristle_gnu_options)
    set_source_files_properties(${of_UNPARSED_ARGUMENTS} PROPERTIES COMPILE_OPTIONS "${of_OPTIONS}")
  endif()
endfunction()

# relative to the program: no byte of an installed file depends on the build folder's name
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(bristle_beside $ORIGIN)
if(APPLE)
  set(bristle_beside @loader_path)
endif()

# functions of math.h are in a library of their own, except with MSVC
set(bristle_libm m)
if(MSVC)
  set(bristle_libm "")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32) # a module is one piece
  set_target_properties(bristle_options PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)
endif()

# On Windows stacks are aligned to 16 bytes only, and GCC assumes more for vectors of AVX (its bug 54412): the assembler
# replaces moves that need it. printf is that of ISO C.
if(MINGW)
  target_compile_definitions(bristle_options INTERFACE __USE_MINGW_ANSI_STDIO=1)
  target_compile_options(bristle_options INTERFACE -Wno-float-conversion) # of isfinite() and others in its math.h
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    include(CheckCCompilerFlag)
    check_c_compiler_flag(-Wa,-muse-unaligned-vector-move has_unaligned_moves)
    if(NOT has_unaligned_moves)
      message(FATAL_ERROR "for Windows GCC needs an assembler with -muse-unaligned-vector-move: binutils 2.38 or later")
    endif()
    target_compile_options(bristle_options INTERFACE -Wa,-muse-unaligned-vector-move)
  endif()
endif()

# bristle_library(NAME SOURCES...): targets NAME-static and NAME-shared, exported as
# bristle::NAME-static and bristle::NAME-shared, with bristle::NAME for the one to take by default.
function(bristle_library name)
  add_library(${name}-objects OBJECT ${ARGN})
  target_link_libraries(${name}-objects PRIVATE bristle_options)
  set_target_properties(${name}-objects PROPERTIES C_VISIBILITY_PRESET hidden C_EXTENSIONS OFF)
  target_compile_definitions(${name}-objects PRIVATE $<$<BOOL:${WIN32}>:BRISTLE_EXPORTS>)
  target_include_directories(${name}-objects PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/src)

  foreach(kind IN ITEMS STATIC SHARED)
    string(TOLOWER ${kind} suffix)
    add_library(${name}-${suffix} ${kind} $<TARGET_OBJECTS:${name}-objects>)
    add_library(bristle::${name}-${suffix} ALIAS ${name}-${suffix})
    target_link_libraries(${name}-${suffix} PRIVATE ${bristle_libm})
    target_include_directories(${name}-${suffix} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${name}-${suffix} PROPERTIES
      OUTPUT_NAME ${name}
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      INSTALL_RPATH ${bristle_beside} # libbristle-sim finds the libbristle beside it
      LINKER_LANGUAGE C)
    if(MSVC AND kind STREQUAL STATIC) # NAME.lib is what a program links with the shared library
      set_target_properties(${name}-${suffix} PROPERTIES OUTPUT_NAME ${name}-static)
    endif()
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
