/*
 * Metadata of a sweep.
 */
#include "sweep_metadata.h"

#include <stdint.h>
#include <string.h>

#include "bristle/base.h"
#include "memory.h"
#include "text.h"
#include "zip.h"

sweep_metadata sweep_metadata_of(const br_sweep* sweep, const char* name, const char* scenario,
                                 const char* set, const char* files)
{
    sweep_metadata s = {.version = br_get_version(),
                        .name = name,
                        .scenario = scenario,
                        .set = set,
                        .files = files,
                        .plan = br_sweep_get_text(sweep),
                        .case_count = br_sweep_get_case_count(sweep),
                        .has_samples = br_sweep_has_samples(sweep),
                        .has_indices = br_sweep_has_indices(sweep),
                        .drawn_count = br_sweep_get_drawn_count(sweep)};
    s.shape = br_sweep_get_shape(sweep, &s.axis_count);
    const br_sweep_column* inputs = br_sweep_get_inputs(sweep, &s.input_count);
    const br_sweep_column* outputs = br_sweep_get_outputs(sweep, &s.output_count);
    br_sweep_column* columns = memory_allocate(s.input_count + s.output_count, sizeof *columns);
    size_t* axes = memory_allocate(s.input_count, sizeof *axes);
    for (size_t i = 0; i < s.input_count; i++) {
        columns[i] = inputs[i];
        axes[i] = br_sweep_get_axis(sweep, i);
    }
    for (size_t i = 0; i < s.output_count; i++) {
        columns[s.input_count + i] = outputs[i];
    }
    s.columns = columns;
    s.axes = axes;
    return s;
}

// --- bytes ----------------------------------------------------------------------------------------

// Numbers have eight bytes; texts are stored as length and bytes. Without a buffer it only counts bytes.
typedef struct packer {
    unsigned char* to; // buffer; NULL: only count
    size_t size;
} packer;

static void pack_number(packer* p, size_t number)
{
    if (p->to) {
        zip_put(p->to + p->size, number, 8);
    }
    p->size += 8;
}

static void pack_text(packer* p, const char* text)
{
    const size_t length = strlen(text);
    pack_number(p, length);
    if (p->to) {
        memcpy(p->to + p->size, text, length);
    }
    p->size += length;
}

static void pack_column(packer* p, const br_sweep_column* c)
{
    size_t words = 0;
    while (c->words && c->words[words]) {
        words++;
    }
    pack_text(p, c->name);
    pack_text(p, c->unit);
    pack_number(p, words);
    for (size_t i = 0; i < words; i++) {
        pack_text(p, c->words[i]);
    }
}

static void pack(packer* p, const sweep_metadata* s)
{
    const char* texts[] = {s->version, s->name, s->scenario, s->set, s->plan, s->files};
    const size_t numbers[] = {s->case_count,  s->has_samples,  s->has_indices, s->input_count,
                              s->drawn_count, s->output_count, s->axis_count};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pack_text(p, texts[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        pack_number(p, numbers[i]);
    }
    for (size_t i = 0; i < s->axis_count; i++) {
        pack_number(p, s->shape[i]);
    }
    for (size_t i = 0; i < s->input_count; i++) {
        pack_number(p, s->axes[i]);
    }
    for (size_t i = 0; i < s->input_count + s->output_count; i++) {
        pack_column(p, &s->columns[i]);
    }
}

unsigned char* sweep_metadata_pack(const sweep_metadata* metadata, size_t* size)
{
    packer p = {NULL, 0};
    pack(&p, metadata);
    p = (packer){memory_allocate(p.size, 1), 0};
    pack(&p, metadata);
    *size = p.size;
    return p.to;
}

typedef struct unpacker {
    const unsigned char* at;
    size_t left;
    bool is_broken;
} unpacker;

static size_t unpack_number(unpacker* u)
{
    if (u->left < 8) {
        u->is_broken = true;
        return 0;
    }
    uint64_t number = 0;
    for (int i = 7; i >= 0; i--) {
        number = number << 8 | u->at[i];
    }
    u->at += 8;
    u->left -= 8;
    return (size_t)number;
}

static const char* unpack_text(unpacker* u)
{
    const size_t length = unpack_number(u);
    if (u->is_broken || length > u->left) {
        u->is_broken = true;
        return "";
    }
    const char* text = memory_text((const char*)u->at, length);
    u->at += length;
    u->left -= length;
    return text;
}

// The number of items that follow, each of at least eight bytes.
static size_t unpack_count(unpacker* u)
{
    const size_t count = unpack_number(u);
    u->is_broken = u->is_broken || count > u->left / 8;
    return u->is_broken ? 0 : count;
}

static size_t* unpack_numbers(unpacker* u, size_t count)
{
    size_t* numbers = memory_allocate(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = unpack_number(u);
    }
    return numbers;
}

static br_sweep_column unpack_column(unpacker* u)
{
    br_sweep_column c = {unpack_text(u), unpack_text(u), NULL};
    const size_t count = unpack_count(u);
    if (count > 0) {
        const char** words = memory_allocate(count + 1, sizeof *words);
        for (size_t i = 0; i < count; i++) {
            words[i] = unpack_text(u);
        }
        c.words = words;
    }
    return c;
}

const sweep_metadata* sweep_metadata_unpack(const unsigned char* bytes, size_t size)
{
    unpacker u = {bytes, size, false};
    sweep_metadata* s = memory_allocate(1, sizeof *s);
    const char** texts[] = {&s->version, &s->name, &s->scenario, &s->set, &s->plan, &s->files};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = unpack_text(&u);
    }
    s->case_count = unpack_number(&u);
    s->has_samples = unpack_number(&u);
    s->has_indices = unpack_number(&u);
    s->input_count = unpack_count(&u);
    s->drawn_count = unpack_number(&u);
    s->output_count = unpack_count(&u);
    s->axis_count = unpack_count(&u);
    s->shape = unpack_numbers(&u, s->axis_count);
    s->axes = unpack_numbers(&u, s->input_count);
    br_sweep_column* columns = memory_allocate(s->input_count + s->output_count, sizeof *columns);
    for (size_t i = 0; i < s->input_count + s->output_count; i++) {
        columns[i] = unpack_column(&u);
    }
    s->columns = columns;
    return u.is_broken ? NULL : s;
}
