// The history of a contact part by part: the plain twin of those in lanes.
#include "math/scalar.h"

#include "fit/contact_history.inc"
