# 32-bit x86. Numbers are those of x87 unless CMAKE_C_FLAGS has -msse2 -mfpmath=sse.
set(processor i686)
set(triple i686-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
