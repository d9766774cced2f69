/*
 * Shared by the files that cut patches into cells.
 */
#ifndef BRISTLE_PATCH_CELLS_INTERNAL_H
#define BRISTLE_PATCH_CELLS_INTERNAL_H

#include "patch/lattice.h"
#include "patch/patch_internal.h"

// BR_ERR_MEMORY, with its reason.
br_status bri_cells_no_memory(br_reason* why);

// A lattice that covers a box exactly, `resolution` cells along its larger side.
lattice bri_cells_lattice(patch_box box, size_t resolution);

// Check that cells can be created for a force and a resolution. BR_OK or BR_ERR_ARG.
br_status bri_cells_check(double fn, size_t resolution, br_reason* why);

// The cells of a checked definition.
br_status bri_cells_of(const br_patch_def* def, double fn, size_t resolution, br_cells** out,
                       br_reason* why);

// Shares of the force from forces; those that are 0 become BR_CELLS_IDLE.
void bri_mesh_weights(double* weight, size_t count);

// The pressure of a disc at a force. 0: the power law is so steep that all force is at the centre.
int bri_disc_pressure_at(const br_patch_def* def, double fn, disc_pressure* out);

// The cells of a disc that has a largest radius, over its largest extent.
br_status bri_growing_disc_cells(const br_patch_def* def, double fn, size_t resolution,
                                 br_cells** out, br_reason* why);

#endif
