/* Formulas of sweeps: read, then evaluated at any inputs. The same text as a number and as a word of a list. */
#include "fuzz.h"

#include <math.h>
#include <stddef.h>

#include "scenario/parse_context.h"
#include "sweep/formula.h"

// A call of the reader, whose errors unwind to bri_parse_context_run().
typedef struct call {
    parse_context in;
    const char* text;
    double inputs[3];
} call;

static void read_and_eval(void* with)
{
    static const char* const keys[] = {"friction.mu", "a", "b", NULL};
    call* c = with;
    const formula* f = bri_formula_read(&c->in, "wanted", c->text, keys);
    if (f) {
        size_t count;
        const char* missing = NULL;
        bri_formula_outputs(f, &count);
        if (count == 0) { // no table is needed
            bri_formula_eval(f, NULL, c->inputs, &missing);
        }
    }
}

static void use_text(const char* text)
{
    static const char* const words[] = {"coulomb", "stribeck", "dahl", "lugre", "max", "sin", NULL};
    double number = 0.0;
    if (br_text_read_number(text, &number)) {
        demand(isfinite(number));
    }
    const int at = br_text_find(text, words);
    const char* nearest = br_text_find_nearest(text, words);
    demand(at < (int)(sizeof words / sizeof *words) - 1);
    demand(at < 0 || nearest == words[at]);
    demand(!nearest || br_text_find(nearest, words) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    call c = {.in = {.memory = {.first = NULL}}};
    take_numbers(&in, c.inputs, 3);
    c.text = text_of(in.at, in.left);
    if (c.text) {
        bri_parse_context_run(&c.in, read_and_eval, &c);
        bri_pool_clear(&c.in.memory);
        use_text(c.text);
    }
    return 0;
}
