// Numbers that the worlds share, in floats.
typedef float real;
#define SHARED_NUMBERS bri_opencl_worlds_float
#include "shared_numbers.inc"
