/*
 * The table of functions as a C array.
 */
#include "loop.h"

const binding bindings[] = {
#define CALL(name, kind, cost, part_cost, text) {KIND_##kind, false, {.loop = call_##name}},
#define MAKE(name, kind, text)                  {KIND_##kind, true, {.make = make_##name}},
#include "table.inc"
#undef CALL
#undef MAKE
};

const binding_text binding_texts[] = {
#define CALL(name, kind, cost, part_cost, text) {#name " " text, cost, part_cost},
#define MAKE(name, kind, text)                  {#name " " text, 0, 0},
#include "table.inc"
    {0}};
