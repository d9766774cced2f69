# 32-bit x86 Linux, built on a 64-bit one (Debian: gcc-12-multilib) and tested there. Numbers are those of x87 unless
# CMAKE_C_FLAGS has -msse2 -mfpmath=sse.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER gcc -m32)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
