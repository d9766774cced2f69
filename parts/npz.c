/*
 * A table in NumPy's NPZ format (zip.h): '<f8' numbers or '<U' words of each column.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "table.h"
#include "zip.h"

enum { LONGEST_WORD = 16 }; // characters, in a column of words

static void put_number(unsigned char to[8], double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    zip_put(to, bits, 8);
}

// Length of the longest word of a column; 0: the column contains numbers.
static size_t letters_of(const table* from, size_t column)
{
    size_t longest = 0;
    for (names word = table_words(from, column); word && *word; word++) {
        longest = strlen(*word) > longest ? strlen(*word) : longest;
    }
    return longest < LONGEST_WORD ? longest : LONGEST_WORD;
}

static size_t bytes_of_value(size_t letters)
{
    return letters > 0 ? 4 * letters : 8;
}

// Write a value as NumPy stores it. Returns its size [bytes].
static size_t put_value(const table* from, size_t row, size_t column, size_t letters,
                        unsigned char to[4 * LONGEST_WORD])
{
    const char* word = table_word(from, row, column);
    if (!word) {
        put_number(to, table_row(from, row)[column]);
    }
    const size_t length = word ? strlen(word) : 0;
    for (size_t i = 0; word && i < letters; i++) {
        zip_put(to + 4 * i, i < length ? (unsigned char)word[i] : 0, 4);
    }
    return bytes_of_value(letters);
}

// The header before a column's values.
static unsigned char* header_of(const table* from, size_t letters, size_t* size)
{
    const char* type = letters > 0 ? memory_format("<U%zu", letters) : "<f8";
    return npy_header(type, memory_format("%zu,", from->rows), size);
}

static uint32_t crc_of_column(const table* from, size_t column)
{
    const size_t letters = letters_of(from, column);
    size_t size;
    const unsigned char* header = header_of(from, letters, &size);
    uint32_t crc = zip_crc(0, header, size);
    unsigned char bytes[4 * LONGEST_WORD];
    for (size_t r = 0; r < from->rows; r++) {
        crc = zip_crc(crc, bytes, put_value(from, r, column, letters, bytes));
        table_release_seldom(from, r);
    }
    return crc;
}

static void write_member(const table* from, size_t column, const zip_member* m, FILE* to)
{
    const size_t letters = letters_of(from, column);
    zip_write_local(m, to);
    size_t size;
    const unsigned char* header = header_of(from, letters, &size);
    fwrite(header, 1, size, to);
    unsigned char bytes[4 * LONGEST_WORD];
    for (size_t r = 0; r < from->rows; r++) {
        const size_t count = put_value(from, r, column, letters, bytes);
        fwrite(bytes, 1, count, to);
        table_release_seldom(from, r);
    }
}

// Fill in the archive's members with their offsets. Returns their total size [bytes].
static uint64_t lay_out(const table* from, zip_member* members)
{
    uint64_t offset = 0;
    for (size_t i = 0; i < from->width; i++) {
        zip_member* m = &members[i];
        const size_t letters = letters_of(from, i);
        size_t size;
        header_of(from, letters, &size);
        m->name = memory_format("%s.npy", from->columns[i]);
        m->bytes = size + bytes_of_value(letters) * from->rows;
        m->crc = crc_of_column(from, i);
        m->offset = offset;
        offset += zip_local_size(m) + m->bytes;
    }
    return offset;
}

void table_write_npz(const table* from, FILE* to)
{
    if (from->rows > ZIP_LARGEST / (8 * LONGEST_WORD) / from->width) {
        message_fail(EXIT_USAGE, "%zu rows are too many for .npz; write .csv", from->rows);
    }
    zip_member* members = memory_allocate(from->width, sizeof *members);
    const uint64_t bytes = lay_out(from, members);
    for (size_t i = 0; i < from->width; i++) {
        write_member(from, i, &members[i], to);
    }
    zip_write_directory(members, from->width, bytes, to);
}
