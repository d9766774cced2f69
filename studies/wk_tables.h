/*
 * W&K's tables of computational cost.
 */
#ifndef STUDIES_WK_TABLES_H
#define STUDIES_WK_TABLES_H

#include "study.h"

void wk_table2(study* s);
void wk_table4(study* s);
void wk_table5(study* s);
void wk_table6(study* s);

#endif
