// The same pass as law_history_slopes.c for processors with AVX2, whose vectors hold four derivatives. It does not use FMA, so
// that all processors give the same bits.
#include "math/processor.h"

#if VECTOR_LANES & 4
#define DUAL_SEEDS   WIDTH
#define HISTORY_PASS bri_law_history_slopes_4
#include "fit/law_history.inc"
#endif
