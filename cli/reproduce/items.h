/*
 * The figures and tables that can be reproduced.
 */
#ifndef CLI_REPRODUCE_ITEMS_H
#define CLI_REPRODUCE_ITEMS_H

#include "study.h"

// Ends with a row whose name is NULL. The order is that of the report.
extern const item items[];

#endif
