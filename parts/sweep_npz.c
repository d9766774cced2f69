/*
 * Results of a sweep in NumPy's NPZ format: an array for each input, each output and `status`, with the shape of the grid; and
 * texts: scenario, sweep, version, columns, units.
 */
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "sweep_results.h"
#include "zip.h"

enum { MOST_LETTERS = 120, TEXTS = 5, BUFFER = 1 << 16 };

// An archive being written: members are written in order, and their checksums are filled in afterwards.
typedef struct archive {
    output* file;
    FILE* to;
    zip_member* members;
    size_t count;
    uint64_t offset; // of the end so far
    unsigned char* buffer;
    size_t filled;
} archive;

static zip_member* current(archive* a)
{
    return &a->members[a->count];
}

static void flush(archive* a)
{
    current(a)->crc = zip_crc(current(a)->crc, a->buffer, a->filled);
    current(a)->bytes += a->filled;
    fwrite(a->buffer, 1, a->filled, a->to);
    a->filled = 0;
}

static unsigned char* reserve(archive* a, size_t bytes)
{
    if (a->filled + bytes > BUFFER) {
        flush(a);
    }
    a->filled += bytes;
    return a->buffer + a->filled - bytes;
}

static void start_array(archive* a, const char* name, const char* type, const char* shape)
{
    *current(a) = (zip_member){.name = memory_format("%s.npy", name), .offset = a->offset};
    zip_write_local(current(a), a->to);
    size_t size;
    const unsigned char* header = npy_header(type, shape, &size);
    for (size_t i = 0; i < size; i++) {
        *reserve(a, 1) = header[i];
    }
}

static void end_array(archive* a)
{
    flush(a);
    zip_member* m = current(a);
    a->offset += zip_local_size(m) + m->bytes;
    if (a->offset > ZIP_LARGEST) {
        message_fail(EXIT_COMPUTATION, "these results are too large for .npz; write .csv or .h5");
    }
    output_seek(a->file, m->offset);
    zip_write_local(m, a->to);
    output_seek(a->file, a->offset);
    a->count++;
}

// --- texts ----------------------------------------------------------------------------------------

// The next character of a UTF-8 text; an invalid byte is returned as it is.
static uint32_t next_letter(const unsigned char** at)
{
    const unsigned char first = *(*at)++;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    uint32_t letter = more == 3   ? first & 7
                      : more == 2 ? first & 15
                      : more == 1 ? first & 31
                                  : first;
    for (int i = 0; i < more && (**at & 0xc0) == 0x80; i++) {
        letter = letter << 6 | (*(*at)++ & 63);
    }
    return letter;
}

static size_t count_letters(const char* text)
{
    size_t count = 0;
    for (const unsigned char* at = (const unsigned char*)text; *at; count++) {
        next_letter(&at);
    }
    return count;
}

static void put_letters(archive* a, const char* text, size_t letters)
{
    const unsigned char* at = (const unsigned char*)text;
    for (size_t i = 0; i < letters; i++) {
        zip_put(reserve(a, 4), *at ? next_letter(&at) : 0, 4);
    }
}

// NumPy has no strings of length 0.
static const char* text_type(size_t letters)
{
    return memory_format("<U%zu", letters > 0 ? letters : 1);
}

static void write_text(archive* a, const char* name, const char* text)
{
    const size_t letters = count_letters(text);
    start_array(a, name, text_type(letters), "");
    put_letters(a, text, letters > 0 ? letters : 1);
    end_array(a);
}

static void write_list(archive* a, const char* name, const sweep_metadata* s, bool has_units)
{
    const size_t width = s->input_count + s->output_count;
    size_t longest = 1;
    for (size_t i = 0; i < width; i++) {
        const size_t letters = count_letters(has_units ? s->columns[i].unit : s->columns[i].name);
        longest = letters > longest ? letters : longest;
    }
    start_array(a, name, text_type(longest), memory_format("%zu,", width));
    for (size_t i = 0; i < width; i++) {
        put_letters(a, has_units ? s->columns[i].unit : s->columns[i].name, longest);
    }
    end_array(a);
}

// --- columns --------------------------------------------------------------------------------------

static const char* shape_of(const sweep_metadata* s)
{
    const char* shape = "";
    for (size_t i = 0; i < s->axis_count; i++) {
        shape = memory_format("%s%zu, ", shape, s->shape[i]);
    }
    return shape;
}

static void write_numbers(archive* a, const sweep_results* r, size_t column, const char* shape)
{
    start_array(a, r->metadata->columns[column].name, "<f8", shape);
    for (size_t i = 0; i < r->metadata->case_count; i++) {
        const double x = sweep_results_number(r, i, column);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        zip_put(reserve(a, 8), bits, 8);
    }
    end_array(a);
}

static void write_words(archive* a, const sweep_results* r, size_t column, const char* shape)
{
    const br_sweep_column* c = &r->metadata->columns[column];
    size_t longest = 1;
    for (size_t i = 0; c->words[i]; i++) {
        const size_t letters = count_letters(c->words[i]);
        longest = letters > longest ? letters : longest;
    }
    start_array(a, c->name, text_type(longest), shape);
    for (size_t i = 0; i < r->metadata->case_count; i++) {
        put_letters(a, c->words[(size_t)sweep_results_number(r, i, column)], longest);
    }
    end_array(a);
}

static void write_status(archive* a, const sweep_results* r, const char* shape)
{
    const size_t longest = sweep_results_sum(r).longest_failure, min = strlen("ok");
    const size_t letters = longest > MOST_LETTERS ? MOST_LETTERS : longest > min ? longest : min;
    start_array(a, "status", text_type(letters), shape);
    for (size_t i = 0; i < r->metadata->case_count; i++) {
        const char* failure = sweep_results_read(r, i).failure;
        put_letters(a, failure ? failure : "ok", letters);
    }
    end_array(a);
}

void sweep_results_write_npz(const sweep_results* r, output* to)
{
    const sweep_metadata* s = r->metadata;
    const size_t width = s->input_count + s->output_count;
    archive a = {.file = to,
                 .to = to->stream,
                 .members = memory_allocate(width + 1 + TEXTS, sizeof *a.members),
                 .buffer = memory_allocate(BUFFER, 1)};
    const char* shape = shape_of(s);
    for (size_t i = 0; i < width; i++) {
        (s->columns[i].words ? write_words : write_numbers)(&a, r, i, shape);
    }
    write_status(&a, r, shape);
    write_text(&a, "scenario", s->scenario);
    write_text(&a, "sweep", memory_format("%s%s", s->plan, s->set));
    write_text(&a, "version", s->version);
    write_list(&a, "columns", s, false);
    write_list(&a, "units", s, true);
    zip_write_directory(a.members, a.count, a.offset, a.to);
}
