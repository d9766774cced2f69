/*
 * Journals of sweeps: a file with these bytes is opened, compared and read. What ends the command returns to the target
 * here: messages and memory have stand-ins.
 */
#include "fuzz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "memory.h"
#include "message.h"
#include "zip.h"

// --- messages and memory of the command ---------------------------------------------------------------------

static jmp_buf end_of_command;

void message_fail(int status, const char* format, ...)
{
    (void)status, (void)format;
    longjmp(end_of_command, 1);
}

void message_print(const char* format, ...)
{
    (void)format;
}

void message_end(int status)
{
    (void)status;
    longjmp(end_of_command, 1);
}

void message_warn(const char* format, ...)
{
    (void)format;
}

size_t message_warning_count(void)
{
    return 0;
}

const char* message_warning(size_t index)
{
    (void)index;
    return "";
}

enum { MOST_BLOCKS = 4096, MOST_BYTES = 1 << 26 };

static void* blocks[MOST_BLOCKS];
static struct {
    void* thing;
    void (*destroy)(void* thing);
} owned[MOST_BLOCKS];
static size_t block_count, owned_count;

void* memory_allocate(size_t count, size_t bytes)
{
    if (block_count == MOST_BLOCKS || (bytes > 0 && count > MOST_BYTES / bytes)) {
        longjmp(end_of_command, 1); // out of memory ends the command
    }
    return blocks[block_count++] = calloc(count ? count : 1, bytes ? bytes : 1);
}

void* memory_grow(void* memory, size_t count, size_t bytes)
{
    for (size_t i = 0; memory && i < block_count; i++) {
        if (blocks[i] == memory) {
            if (bytes > 0 && count > MOST_BYTES / bytes) {
                longjmp(end_of_command, 1);
            }
            return blocks[i] = realloc(memory, count * bytes + 1);
        }
    }
    return memory_allocate(count, bytes);
}

void memory_release(void* memory)
{
    for (size_t i = 0; memory && i < block_count; i++) {
        if (blocks[i] == memory) {
            free(memory);
            blocks[i] = blocks[--block_count];
            return;
        }
    }
}

char* memory_text(const char* text, size_t length)
{
    char* copy = memory_allocate(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char* memory_format(const char* format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return memory_text(text, strlen(text));
}

void memory_own(void* thing, void (*destroy)(void* thing))
{
    if (owned_count < MOST_BLOCKS) {
        owned[owned_count].thing = thing;
        owned[owned_count++].destroy = destroy;
    }
}

static void clear(void)
{
    while (owned_count > 0) {
        owned_count--;
        owned[owned_count].destroy(owned[owned_count].thing);
    }
    while (block_count > 0) {
        free(blocks[--block_count]);
    }
}

// --- a journal ------------------------------------------------------------------------------------------------

// The header's checksum made right, so that what lies behind it is reached: magic (16), order, size, check.
static void mend(uint8_t* bytes, size_t size)
{
    enum { SIZE_AT = 24, CHECK_AT = 32, HEADER = 56 };
    uint64_t length;
    if (size < HEADER) {
        return;
    }
    memcpy(&length, bytes + SIZE_AT, sizeof length);
    if (length <= size - HEADER) {
        const uint64_t check = zip_crc(0, bytes + HEADER, length);
        memcpy(bytes + CHECK_AT, &check, sizeof check);
    }
}

static void read_journal(const char* path)
{
    journal* j = journal_open(path, true);
    journal_is_of(j, &j->metadata);
    for (size_t i = 0; i < j->slots && i < 50; i++) {
        const journal_case c = journal_read(j, j->shard - 1 + i * j->shards);
        for (size_t k = 0; c.is_done && k < j->width; k++) {
            look_at(c.numbers[k]);
        }
        look_at(c.failure ? (double)strlen(c.failure) : 0.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static uint8_t bytes[1 << 16];
    if (size == 0 || size > sizeof bytes) {
        return 0;
    }
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 1) {
        mend(bytes, size - 1);
    }
    if (setjmp(end_of_command) == 0) {
        read_journal(file_with(bytes, size - 1));
    }
    clear();
    return 0;
}
