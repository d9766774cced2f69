# The kernel of the planar models, src/planar/kernel*.inc: each instance for its own instructions.
# Vectors stay within a file, so their calling convention does not matter; root need not set errno.

set(kernel_options -fno-math-errno -fno-trapping-math -Wno-psabi)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
  list(APPEND kernel_options -O2) # as fast, and smaller
elseif(NOT CMAKE_C_FLAGS MATCHES "-fsanitize|--coverage")
  list(APPEND kernel_options -O3) # instrumented it takes minutes
elseif(CMAKE_C_COMPILER_ID STREQUAL GNU)
  list(APPEND kernel_options -fno-var-tracking-assignments) # a quarter of the time
endif()
set(kernel_1 "")
set(kernel_2 "")
set(kernel_4 "")
set(kernel_8 "")
if(NOT BRISTLE_SCALAR AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set(kernel_4 -mavx2 -mfma -mtune=skylake)
  set(kernel_8 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512
    -mtune=icelake-server)
endif()

# Instrumented by clang, vectors take half an hour: the fuzz targets check the instances of one lane, which have the same
# source
if(BRISTLE_FUZZ)
  list(APPEND kernel_2 -fno-sanitize=all)
  list(APPEND kernel_4 -fno-sanitize=all)
  list(APPEND kernel_8 -fno-sanitize=all)
endif()

# Bundles: where the processor has it, a * b + c is one instruction and one rounding. A contact of a
# batch goes through the same loop as alone. Reduced contacts do not, so there it rounds twice. In plain C the compiler
# would choose per copy of a loop which of two products it fuses: twice there, too, so that bits do not depend on it.
set(contract -ffp-contract=fast)
if(BRISTLE_SCALAR)
  set(contract -ffp-contract=off)
endif()
foreach(lanes IN ITEMS 1 2 4 8)
  bristle_source_options(src/planar/kernel_${lanes}.c
    OPTIONS ${kernel_options} ${kernel_${lanes}} ${contract})
  bristle_source_options(src/planar/gradient_kernel_${lanes}.c
    OPTIONS ${kernel_options} ${kernel_${lanes}} ${contract})
  bristle_source_options(src/planar/kernel_reduced_${lanes}.c
    OPTIONS ${kernel_options} ${kernel_${lanes}})
endforeach()
bristle_source_options(src/planar/kernel_curve.c src/planar/gradient_kernel_curve.c
  OPTIONS ${kernel_options} ${contract})
bristle_source_options(src/planar/kernel_reduced_curve.c
  OPTIONS ${kernel_options})
bristle_source_options(src/planar/kernel_reduced_alone.c
  OPTIONS ${kernel_options} ${kernel_8})

# Many pushes in lanes
foreach(lanes IN ITEMS 2 4 8)
  bristle_source_options(src/slider/pushing_lanes_${lanes}.c
    OPTIONS ${kernel_options} ${kernel_${lanes}} ${contract})
endforeach()

foreach(lanes IN ITEMS 2 4 8)
  bristle_source_options(src/planar/worlds_record_${lanes}.c src/planar/worlds_smooth_${lanes}.c
    OPTIONS ${kernel_options} ${kernel_${lanes}} ${contract})
endforeach()

# Worlds in lanes: floats have twice as many in vectors of the same length
foreach(pair IN ITEMS 1:1 2:4 4:8 8:16)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 doubles)
  list(GET pair 1 floats)
  bristle_source_options(src/planar/worlds_double_${doubles}.c src/planar/worlds_float_${floats}.c
    OPTIONS ${kernel_options} ${kernel_${doubles}} ${contract})
endforeach()
if(BRISTLE_SCALAR) # constants are doubles, so that sums of floats are rounded from doubles
  bristle_source_options(src/planar/worlds_float_1.c
    OPTIONS ${kernel_options} ${contract} -Wno-double-promotion -Wno-float-conversion)
endif()
