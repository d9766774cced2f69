/*
 * Calls whose n-th allocation fails, for every n. A case is a public function that may return BR_ERR_MEMORY.
 */
#ifndef BRISTLE_TEST_FAULTS_CREATES_H
#define BRISTLE_TEST_FAULTS_CREATES_H

#include "bristle/base.h"
#include "check.h"

// Calls the function once, checks that its output is NULL where it failed, frees what it created, returns its status.
typedef br_status fault_call(void);

typedef struct fault_case {
    const char* name; // of the function; a test compares these names with the public headers
    fault_call* call;
    int may_succeed; // some allocations only make it faster: it may also return BR_OK, and checks its result then
} fault_case;

// Cases of the modules up to planar and cone, of runs, of fits, of scenarios and sweeps; ended by {NULL, NULL, 0}. Each
// list has functions that create and destroy what its calls share.
extern const fault_case faults_core[], faults_sim[], faults_fit[], faults_scenario[];
void faults_core_create(void);
void faults_core_destroy(void);
void faults_sim_create(void);
void faults_sim_destroy(void);
void faults_fit_create(void);
void faults_fit_destroy(void);
void faults_scenario_create(void);
void faults_scenario_destroy(void);

// Check the output of a _create function, free it, return the status.
#define FAULT_CREATED(status, thing, destroy)                                                      \
    (assert_true(((status) == BR_OK) == ((thing) != NULL)), destroy(thing), (status))

#endif
