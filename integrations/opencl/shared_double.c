// Numbers that the worlds share, in doubles.
typedef double real;
#define SHARED_NUMBERS bri_opencl_worlds_double
#include "shared_numbers.inc"
