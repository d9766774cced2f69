# The kernel's source from that of the C lanes: cmake -DROOT=dir -DPRIMITIVES=opencl|cuda -DOUT=x -P generate.cmake. An OUT that
# ends in .c holds it as a string, bri_opencl_source.
set(files
  integrations/opencl/primitives_${PRIMITIVES}.inc
  src/math/sin_pi.inc
  src/math/sine_pair.inc
  src/law/law_formulas.inc
  src/planar/worlds_step.inc
  integrations/opencl/device_worlds.inc
  integrations/opencl/device_arrays.inc
  integrations/opencl/memory.inc
  src/planar/worlds_group.inc
  src/planar/worlds_window.inc
  integrations/opencl/kernel.inc)

# definitions of public headers that the text uses
set(text "")
function(take header pattern)
  file(READ ${ROOT}/include/bristle/${header} content)
  if(NOT content MATCHES "${pattern}")
    message(FATAL_ERROR "${header} has no ${pattern}")
  endif()
  set(text "${text}${CMAKE_MATCH_0}\n" PARENT_SCOPE)
endfunction()
take(math.h "#define BR_PI [^\n]*")
take(worlds.h "#define BR_WORLDS_CONTACTS [^\n]*")
take(worlds.h "typedef enum br_worlds_frame {[^}]*} br_worlds_frame;")
take(worlds.h "typedef enum br_worlds_ledger {[^}]*} br_worlds_ledger;")
string(APPEND text "#define LAW_NUMBER vec\n")

foreach(file IN LISTS files)
  file(READ ${ROOT}/${file} content)
  string(REGEX REPLACE "#include [^\n]*\n" "" content "${content}")
  string(APPEND text "${content}\n")
endforeach()
if(OUT MATCHES "\\.c$")
  string(HEX "${text}" text)
  string(REGEX REPLACE "(..)" "0x\\1," text "${text}")
  set(text "#include \"opencl_internal.h\"\n\nconst char bri_opencl_source[] = {${text}0};\n")
endif()
file(WRITE ${OUT} "${text}")
