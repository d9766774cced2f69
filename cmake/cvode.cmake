# SUNDIALS CVODE for libbristle-sim. Debian: libsundials-dev.
find_package(SUNDIALS 6 REQUIRED COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
set(bristle_sundials SUNDIALS::cvode SUNDIALS::nvecserial SUNDIALS::sunmatrixdense
  SUNDIALS::sunlinsoldense)
foreach(target IN ITEMS bristle-sim-objects bristle-sim-static bristle-sim-shared)
  target_link_libraries(${target} PRIVATE ${bristle_sundials})
endforeach()
