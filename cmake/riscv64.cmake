# 64-bit RISC-V, tested under qemu-user.
set(processor riscv64)
set(triple riscv64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64-static)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
