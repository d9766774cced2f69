/*
 * Formulas: read by recursive descent into steps for a stack of numbers.
 *
 *   comparison: sum [(< | <= | > | >=) sum]          1 where it holds, 0 where not
 *   sum:        product {(+ | -) product}
 *   product:    signed {(* | /) signed}
 *   signed:     [-] power
 *   power:      atom [^ signed]
 *   atom:       number | name | function ( comparison {, comparison} ) | ( comparison )
 */
#include "sweep/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 256, MAX_OUTPUTS = 32, DEEPEST = 32 };

typedef enum step_kind { STEP_NUMBER, STEP_INPUT, STEP_OUTPUT, STEP_ONE, STEP_TWO } step_kind;

typedef struct step {
    step_kind kind;
    double number;
    size_t index; // of an input or an output
    double (*one)(double);
    double (*two)(double, double);
} step;

struct formula {
    step steps[MAX_STEPS];
    size_t count;
    sweep_output outputs[MAX_OUTPUTS];
    size_t output_count;
};

// Parser state.
typedef struct parser {
    parse_context* in;
    const char* what;
    const char* text;
    const char* at;
    names keys;
    formula* to;
    int depth;
    bool is_broken;
} parser;

// --- operators and functions ----------------------------------------------------------------------

static double add(double a, double b)
{
    return a + b;
}

static double subtract(double a, double b)
{
    return a - b;
}

static double multiply(double a, double b)
{
    return a * b;
}

static double divide(double a, double b)
{
    return a / b;
}

static double negate(double a)
{
    return -a;
}

// Comparisons with NaN are NaN: an unknown value is neither true nor false.
static double less(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b;
}

static double less_equal(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a <= b;
}

static double greater(double a, double b)
{
    return less(b, a);
}

static double greater_equal(double a, double b)
{
    return less_equal(b, a);
}

typedef struct function {
    const char* name;
    double (*one)(double);
    double (*two)(double, double);
} function;

static const function functions[] = {
    {"sin", sin, NULL},     {"cos", cos, NULL},  {"tan", tan, NULL},   {"atan2", NULL, atan2},
    {"exp", exp, NULL},     {"log", log, NULL},  {"sqrt", sqrt, NULL}, {"abs", fabs, NULL},
    {"hypot", NULL, hypot}, {"min", NULL, fmin}, {"max", NULL, fmax},  {"least", NULL, fmin},
    {"most", NULL, fmax}}; // the last two are older names

static const char* const function_list =
    "sin, cos, tan, atan2, exp, log, sqrt, abs, hypot, min, max";

// --- reading --------------------------------------------------------------------------------------

static void fail(parser* p, const char* problem)
{
    if (!p->is_broken) {
        const char* at = *p->at ? bri_format(p->in, "\"%.16s\"", p->at) : "the end";
        bri_fail_file(p->in, p->what, 0,
                      "%.24s%s: %s at %s; there are + - * / ^ ( ) < <= > >= and %s", p->text,
                      strlen(p->text) > 24 ? "..." : "", problem, at, function_list);
    }
    p->is_broken = true;
}

static void emit(parser* p, step s)
{
    if (p->to->count == MAX_STEPS) {
        fail(p, "too long");
    } else if (!p->is_broken) {
        p->to->steps[p->to->count++] = s;
    }
}

static bool accept(parser* p, const char* sign)
{
    p->at += strspn(p->at, " ");
    if (strncmp(p->at, sign, strlen(sign)) != 0) {
        return false;
    }
    p->at += strlen(sign);
    return true;
}

static void read_comparison(parser* p);

static void read_call(parser* p, const char* name)
{
    const function* found = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        found = strcmp(functions[i].name, name) == 0 ? &functions[i] : found;
    }
    if (!found) {
        fail(p, "there is no such function");
        return;
    }
    read_comparison(p);
    if (found->two && !accept(p, ",")) {
        fail(p, "a second value is missing");
    }
    if (found->two) {
        read_comparison(p);
    }
    if (!accept(p, ")")) {
        fail(p, "a ) is missing");
    }
    emit(p, found->two ? (step){.kind = STEP_TWO, .two = found->two}
                       : (step){.kind = STEP_ONE, .one = found->one});
}

static void read_name(parser* p)
{
    size_t length = 0;
    while (isalnum((unsigned char)p->at[length]) ||
           (p->at[length] && strchr("._[]", p->at[length]))) {
        length++;
    }
    const char* name = bri_pool_text(&p->in->memory, p->at, length);
    p->at += length;
    if (accept(p, "(")) {
        read_call(p, name);
        return;
    }
    const int key = br_text_find(name, p->keys);
    if (key >= 0) {
        emit(p, (step){.kind = STEP_INPUT, .index = (size_t)key});
    } else if (p->to->output_count == MAX_OUTPUTS) {
        fail(p, "too many names");
    } else {
        p->to->outputs[p->to->output_count] = bri_sweep_output_read(p->in, name, NULL);
        emit(p, (step){.kind = STEP_OUTPUT, .index = p->to->output_count++});
    }
}

static void read_atom(parser* p)
{
    p->at += strspn(p->at, " ");
    if (accept(p, "(")) {
        read_comparison(p);
        if (!accept(p, ")")) {
            fail(p, "a ) is missing");
        }
    } else if (isalpha((unsigned char)*p->at)) {
        read_name(p);
    } else {
        const size_t length = strspn(p->at, "0123456789.");
        size_t more = 0;
        if (length > 0 && strchr("eE", p->at[length]) && p->at[length]) {
            const size_t sign = strchr("+-", p->at[length + 1]) && p->at[length + 1] ? 1 : 0;
            const size_t digits = strspn(p->at + length + 1 + sign, "0123456789");
            more = digits > 0 ? 1 + sign + digits : 0;
        }
        double x;
        if (bri_text_number(bri_pool_text(&p->in->memory, p->at, length + more), &x) !=
            NUMBER_GOOD) {
            fail(p, "a value is missing");
            return;
        }
        p->at += length + more;
        emit(p, (step){.kind = STEP_NUMBER, .number = x});
    }
}

static void read_signed(parser* p)
{
    if (++p->depth > DEEPEST) {
        fail(p, "nested too deeply");
    }
    if (p->is_broken) {
        return;
    }
    const bool is_negative = accept(p, "-");
    read_atom(p);
    if (accept(p, "^")) {
        read_signed(p);
        emit(p, (step){.kind = STEP_TWO, .two = pow});
    }
    if (is_negative) {
        emit(p, (step){.kind = STEP_ONE, .one = negate});
    }
    p->depth--;
}

static void read_product(parser* p)
{
    read_signed(p);
    while (!p->is_broken) {
        double (*two)(double, double) = accept(p, "*") ? multiply : accept(p, "/") ? divide : NULL;
        if (!two) {
            return;
        }
        read_signed(p);
        emit(p, (step){.kind = STEP_TWO, .two = two});
    }
}

static void read_sum(parser* p)
{
    read_product(p);
    while (!p->is_broken) {
        double (*two)(double, double) = accept(p, "+") ? add : accept(p, "-") ? subtract : NULL;
        if (!two) {
            return;
        }
        read_product(p);
        emit(p, (step){.kind = STEP_TWO, .two = two});
    }
}

static void read_comparison(parser* p)
{
    read_sum(p);
    double (*two)(double, double) = accept(p, "<=")   ? less_equal
                                    : accept(p, ">=") ? greater_equal
                                    : accept(p, "<")  ? less
                                    : accept(p, ">")  ? greater
                                                      : NULL;
    if (two && !p->is_broken) {
        read_sum(p);
        emit(p, (step){.kind = STEP_TWO, .two = two});
    }
}

formula* bri_formula_read(parse_context* in, const char* what, const char* text, names keys)
{
    text += strspn(text, " ");
    parser p = {.in = in, .what = what, .text = text, .at = text, .keys = keys};
    p.to = bri_allocate(in, 1, sizeof *p.to);
    read_comparison(&p);
    p.at += strspn(p.at, " ");
    if (*p.at) {
        fail(&p, "unexpected text");
    }
    return p.is_broken ? NULL : p.to;
}

const sweep_output* bri_formula_outputs(const formula* f, size_t* count)
{
    *count = f->output_count;
    return f->outputs;
}

// --- evaluating -----------------------------------------------------------------------------------

double bri_formula_eval(const formula* f, const br_table* table, const double* inputs,
                        const char** missing)
{
    double stack[MAX_STEPS];
    size_t top = 0;
    // the parser ends with one value, and never takes more than there are
    // NOLINTBEGIN(clang-analyzer-core.CallAndMessage,clang-analyzer-core.uninitialized.UndefReturn)
    for (size_t i = 0; i < f->count; i++) {
        const step* s = &f->steps[i];
        switch (s->kind) {
        case STEP_NUMBER:
            stack[top++] = s->number;
            break;
        case STEP_INPUT:
            stack[top++] = inputs[s->index];
            break;
        case STEP_OUTPUT:
            stack[top++] = bri_sweep_output_eval(&f->outputs[s->index], table, inputs, missing);
            break;
        case STEP_ONE:
            stack[top - 1] = s->one(stack[top - 1]);
            break;
        case STEP_TWO:
            top--;
            stack[top - 1] = s->two(stack[top - 1], stack[top]);
            break;
        }
    }
    return stack[0];
    // NOLINTEND(clang-analyzer-core.CallAndMessage,clang-analyzer-core.uninitialized.UndefReturn)
}
