# bristle_wasm_module(TARGET NAME SOURCES...): the module NAME.wasm, with our own C library instead of wasi-libc where
# that makes it smaller.
function(bristle_wasm_module target name)
  set(core ${PROJECT_SOURCE_DIR}/bindings/wasm/core)
  add_executable(${target} ${core}/math.c ${core}/memory.c ${core}/text.c ${core}/words.c ${ARGN})
  target_link_libraries(${target} PRIVATE bristle_options m)
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${core})
  # link-time optimisation may add calls of these functions, so they must be kept
  set_source_files_properties(${core}/math.c ${core}/memory.c ${core}/words.c PROPERTIES
    COMPILE_OPTIONS "-fno-lto;-fno-builtin")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .wasm)
  target_link_options(${target} PRIVATE
    -nostartfiles
    -O0 # else clang runs wasm-opt without the needed features; make.sh runs it
    LINKER:--no-entry,--gc-sections,--strip-all,--stack-first
    # a loop counts once and computes its addresses: the browser's compiler makes pointers of them, as fast
    LINKER:-mllvm,-disable-lsr
    # functions are already inlined within files; between files only if that makes the module smaller
    LINKER:-mllvm,-inline-threshold=-100
    LINKER:-z,stack-size=524288
    # never called, there are no constructors; without it the linker would wrap every export like a main program
    LINKER:--export=__wasm_call_ctors
    LINKER:--export-table,--export=__stack_pointer)
endfunction()
