/*
 * The kinds of scenarios.
 */
#include "scenario/kind.h"

const scenario_kind* const bri_scenario_kinds[] = {
    &bri_scenario_law_motion,
    &bri_scenario_law_rig,
    &bri_scenario_contact_motion,
    &bri_scenario_body,
    &bri_scenario_slider,
    &bri_scenario_mechanism,
    NULL,
};
