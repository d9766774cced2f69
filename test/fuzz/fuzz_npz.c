/*
 * Tables of any numbers and words, written as NPZ and as CSV. bristle only writes NPZ; an independent small reader here
 * checks the archive: every member is where the directory has it, with its size, checksum and numbers.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

enum { MOST_COLUMNS = 4, MOST_ROWS = 8, END = 22, ENTRY = 46, LOCAL = 30 };

static uint64_t little(const unsigned char* at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

// CRC-32 bit by bit.
static uint32_t crc_of(const unsigned char* bytes, size_t count)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        }
    }
    return ~crc;
}

static void expect(bool is_so)
{
    if (!is_so) {
        abort();
    }
}

// Member `index` of the directory; its numbers, if it has any, are those of the table.
static const unsigned char* check_member(const unsigned char* file, size_t size,
                                         const unsigned char* entry, const table* from,
                                         size_t index)
{
    expect(little(entry, 4) == 0x02014b50);
    const uint64_t length = little(entry + 24, 4), name = little(entry + 28, 2);
    const uint64_t at = little(entry + 42, 4);
    expect(at + LOCAL <= size && little(file + at, 4) == 0x04034b50);
    const uint64_t begin = at + LOCAL + little(file + at + 26, 2) + little(file + at + 28, 2);
    expect(begin + length <= size && crc_of(file + begin, length) == little(entry + 16, 4));
    expect(memcmp(file + begin, "\x93NUMPY", 6) == 0);
    const uint64_t head = 10 + little(file + begin + 8, 2);
    for (size_t row = 0; row < from->rows && !table_words(from, index); row++) {
        expect(head + 8 * (row + 1) <= length);
        expect(memcmp(file + begin + head + 8 * row, &table_row(from, row)[index], 8) == 0);
    }
    return entry + ENTRY + name + little(entry + 30, 2) + little(entry + 32, 2);
}

static void check_archive(const unsigned char* file, size_t size, const table* from)
{
    expect(size >= END && little(file + size - END, 4) == 0x06054b50);
    const uint64_t count = little(file + size - END + 10, 2),
                   at = little(file + size - END + 16, 4);
    expect(count == from->width && at < size);
    const unsigned char* entry = file + at;
    for (size_t i = 0; i < count; i++) {
        entry = check_member(file, size, entry, from, i);
    }
}

static void write_both(const table* t)
{
    char* bytes = NULL;
    size_t size = 0;
    FILE* to = open_memstream(&bytes, &size);
    table_write_npz(t, to);
    fclose(to);
    check_archive((const unsigned char*)bytes, size, t);
    free(bytes);
    to = open_memstream(&bytes, &size);
    table_write_csv(t, to);
    fclose(to);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static char text[MOST_COLUMNS][4];
    static const char* columns[MOST_COLUMNS + 1];
    static const char* const words[] = {"stick", "slip", "open", "", NULL};
    input in = {data, size};
    const size_t width = 1 + take_index(&in, MOST_COLUMNS), rows = take_index(&in, MOST_ROWS);
    for (size_t i = 0; i < width; i++) {
        text[i][0] = (char)('a' + i), text[i][1] = (char)take_byte(&in), text[i][2] = '\0';
        columns[i] = text[i];
    }
    columns[width] = NULL;
    table t = table_create(columns);
    const bool has_words = take_byte(&in) & 1;
    t.words = has_words ? table_words_at_end(columns, words) : NULL;
    for (size_t row = 0; row < rows; row++) {
        double numbers[MOST_COLUMNS];
        take_numbers(&in, numbers, width);
        if (has_words) {
            numbers[width - 1] = (double)take_index(&in, 4);
        }
        table_append(&t, numbers);
    }
    write_both(&t);
    table_release(&t);
    return 0;
}
