# Linux on another processor, built here and tested here. Set `processor`, `triple` (of Debian's cross compiler) and, where
# the processor at hand cannot run its programs, CMAKE_CROSSCOMPILING_EMULATOR first. Programs are linked statically, so
# that the emulator needs no files of that system.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
