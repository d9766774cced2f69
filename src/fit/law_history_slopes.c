// The pass of law_history.inc with derivatives by all parameters.
#define DUAL_SEEDS   WIDTH
#define HISTORY_PASS bri_law_history_slopes
#include "fit/law_history.inc"
