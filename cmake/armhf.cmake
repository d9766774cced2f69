# 32-bit ARM with VFP, tested under qemu-user.
set(processor arm)
set(triple arm-linux-gnueabihf)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm-static)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
