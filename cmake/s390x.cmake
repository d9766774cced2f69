# IBM Z: the most significant byte is first, tested under qemu-user.
set(processor s390x)
set(triple s390x-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x-static)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
