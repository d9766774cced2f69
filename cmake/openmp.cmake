# OpenMP for the batches of libbristle: -fopenmp, or what this compiler calls it.
find_package(OpenMP REQUIRED COMPONENTS C)
foreach(target IN ITEMS bristle-objects bristle-static bristle-shared)
  target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
endforeach()
