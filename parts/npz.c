/*
 * A table in NumPy's NPZ format: a zip archive without compression, one member NAME.npy per column.
 *
 *     member = local header (zip) + npy header + '<f8' numbers or '<U' words; at the end the zip's directory
 *
 * Formats: PKWARE's APPNOTE 4.3, NumPy's NEP 1 (npy version 1.0).
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "table.h"

enum {
    NPY_HEADER = 128,        // bytes; NumPy wants a multiple of 64
    LONGEST_WORD = 16,       // letters, of a column of words
    ZIP_LOCAL = 30,          // bytes of a local header, without the name
    ZIP_ENTRY = 46,          // bytes of a directory entry, without the name
    ZIP_DATE = (1 << 5) | 1, // 1980-01-01: the same table gives the same file
    ZIP_VERSION = 20         // 2.0 reads it
};

static const uint32_t LARGEST_ZIP = UINT32_MAX; // zip without its 64-bit extension

// CRC-32 (IEEE 802.3, reflected), four bits at a time.
static uint32_t crc_add(uint32_t crc, const unsigned char* bytes, size_t count)
{
    static const uint32_t table16[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                         0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                         0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    crc = ~crc;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        crc = table16[crc & 15] ^ (crc >> 4);
        crc = table16[crc & 15] ^ (crc >> 4);
    }
    return ~crc;
}

// Little-endian whatever the machine.
static unsigned char* put(unsigned char* to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        to[i] = (unsigned char)(value >> (8 * i));
    }
    return to + bytes;
}

static void put_number(unsigned char to[8], double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put(to, bits, 8);
}

// Letters of the longest word of a column; 0: it holds numbers.
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

// A value as NumPy stores it; gives its bytes.
static size_t put_value(const table* from, size_t row, size_t column, size_t letters,
                        unsigned char to[4 * LONGEST_WORD])
{
    const char* word = table_word(from, row, column);
    if (!word) {
        put_number(to, table_row(from, row)[column]);
    }
    const size_t length = word ? strlen(word) : 0;
    for (size_t i = 0; word && i < letters; i++) {
        put(to + 4 * i, i < length ? (unsigned char)word[i] : 0, 4);
    }
    return bytes_of_value(letters);
}

static void make_npy_header(unsigned char header[NPY_HEADER], size_t rows, size_t letters)
{
    memset(header, ' ', NPY_HEADER);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    put(header + 8, NPY_HEADER - 10, 2);
    const char* form = "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }";
    const char* type = letters > 0 ? memory_format("<U%zu", letters) : "<f8";
    const char* text = memory_format(form, type, rows);
    memcpy(header + 10, text, strlen(text));
    header[NPY_HEADER - 1] = '\n';
}

// One member of the archive.
typedef struct member {
    char* name;
    uint32_t crc;
    uint32_t bytes;
    uint32_t offset; // of its local header
} member;

static uint32_t crc_of_column(const table* from, size_t column)
{
    const size_t letters = letters_of(from, column);
    unsigned char header[NPY_HEADER], bytes[4 * LONGEST_WORD];
    make_npy_header(header, from->rows, letters);
    uint32_t crc = crc_add(0, header, NPY_HEADER);
    for (size_t r = 0; r < from->rows; r++) {
        crc = crc_add(crc, bytes, put_value(from, r, column, letters, bytes));
        table_release_seldom(from, r);
    }
    return crc;
}

// What local headers and directory entries share.
static unsigned char* put_common(unsigned char* at, const member* m)
{
    at = put(at, ZIP_VERSION, 2);
    at = put(at, 0, 2); // flags
    at = put(at, 0, 2); // stored, not compressed
    at = put(at, 0, 2); // time
    at = put(at, ZIP_DATE, 2);
    at = put(at, m->crc, 4);
    at = put(at, m->bytes, 4); // compressed
    at = put(at, m->bytes, 4); // as it is
    at = put(at, strlen(m->name), 2);
    return put(at, 0, 2); // extra field
}

static void write_member(const table* from, size_t column, const member* m, FILE* to)
{
    const size_t letters = letters_of(from, column);
    unsigned char local[ZIP_LOCAL], header[NPY_HEADER], bytes[4 * LONGEST_WORD];
    put(local, 0x04034b50, 4);
    put_common(local + 4, m);
    fwrite(local, 1, sizeof local, to);
    fputs(m->name, to);

    make_npy_header(header, from->rows, letters);
    fwrite(header, 1, sizeof header, to);
    for (size_t r = 0; r < from->rows; r++) {
        fwrite(bytes, 1, put_value(from, r, column, letters, bytes), to);
        table_release_seldom(from, r);
    }
}

static void write_entry(const member* m, FILE* to)
{
    unsigned char entry[ZIP_ENTRY] = {0};
    unsigned char* at = put(entry, 0x02014b50, 4);
    at = put(at, ZIP_VERSION, 2);
    put_common(at, m);
    put(entry + ZIP_ENTRY - 4, m->offset, 4);
    fwrite(entry, 1, sizeof entry, to);
    fputs(m->name, to);
}

static void write_end(size_t members, uint32_t directory_bytes, uint32_t directory_offset, FILE* to)
{
    unsigned char end[22] = {0};
    put(end, 0x06054b50, 4);
    put(end + 8, members, 2);
    put(end + 10, members, 2);
    put(end + 12, directory_bytes, 4);
    put(end + 16, directory_offset, 4);
    fwrite(end, 1, sizeof end, to);
}

// The archive's members, and where each will stand; gives the bytes of all of them.
static uint32_t lay_out(const table* from, member* members)
{
    uint32_t offset = 0;
    for (size_t i = 0; i < from->width; i++) {
        member* m = &members[i];
        m->name = memory_format("%s.npy", from->columns[i]);
        m->bytes = (uint32_t)(NPY_HEADER + bytes_of_value(letters_of(from, i)) * from->rows);
        m->crc = crc_of_column(from, i);
        m->offset = offset;
        offset += ZIP_LOCAL + (uint32_t)strlen(m->name) + m->bytes;
    }
    return offset;
}

void table_write_npz(const table* from, FILE* to)
{
    if (from->rows > LARGEST_ZIP / (8 * LONGEST_WORD) / from->width) {
        message_fail(EXIT_USAGE, "%zu rows are too many for .npz; write .csv", from->rows);
    }
    member* members = memory_allocate(from->width, sizeof *members);
    const uint32_t bytes = lay_out(from, members);
    uint32_t directory = 0;
    for (size_t i = 0; i < from->width; i++) {
        write_member(from, i, &members[i], to);
    }
    for (size_t i = 0; i < from->width; i++) {
        write_entry(&members[i], to);
        directory += ZIP_ENTRY + (uint32_t)strlen(members[i].name);
    }
    write_end(from->width, directory, bytes, to);
}
