/*
 * A disc under every method, for tests that share them between random states. Include after gradient_fixture.h.
 */
#ifndef BRISTLE_TEST_GRADIENT_SHAPES_H
#define BRISTLE_TEST_GRADIENT_SHAPES_H

#include "gradient_fixture.h"

static br_contact* shapes[MODELS];

static int create_shapes(void** state)
{
    disc_create(state);
    for (int which = 0; which < MODELS; which++) {
        const br_contact_def def = disc_def(which, br_law_default(BR_LAW_LUGRE));
        assert_status(br_contact_create(&def, &shapes[which], NULL), BR_OK);
    }
    return 0;
}

static int destroy_shapes(void** state)
{
    for (int which = 0; which < MODELS; which++) {
        br_contact_destroy(shapes[which]);
    }
    return disc_destroy(state);
}

#endif
