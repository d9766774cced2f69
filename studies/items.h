/*
 * The figures and tables that can be reproduced.
 */
#ifndef STUDIES_ITEMS_H
#define STUDIES_ITEMS_H

#include "study.h"

// Ends with a row whose name is NULL. In the order of the report.
extern const item items[];

#endif
