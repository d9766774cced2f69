/*
 * The journal of a sweep.
 */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "output.h"
#include "system.h"
#include "temporary.h"
#include "zip.h"

static const char MAGIC[16] = "bristle sweep 2\n";

enum { MAGIC_NAME = sizeof "bristle sweep " - 1 }; // the part before the version of the format

// Header of the file; numbers are in this machine's byte order, which `order` shows.
typedef struct header {
    char magic[16];
    uint64_t order;
    uint64_t metadata_size, metadata_check;
    uint64_t shard, shards;
} header;

static const uint64_t ORDER = 0x0102030405060708;

// Fields of a slot besides its numbers.
enum { SLOT_STATUS, SLOT_CHECK, SLOT_EXTRA };

// The status of a slot; any other value is the file offset of its error text.
enum { STATUS_EMPTY, STATUS_RAN };

enum { SLOTS_ALIGNED = 4096, MOST_FAILURE = 4096, AT_ONCE = 256 };

// Precedes an error text.
typedef struct failure_header {
    uint64_t length, check;
} failure_header;

_Noreturn static void fail(const char* path, const char* problem)
{
    message_fail(EXIT_COMPUTATION, "%s: %s", path, problem);
}

// --- bytes ----------------------------------------------------------------------------------------

static bool write_at(const journal* j, const void* bytes, size_t count, uint64_t offset)
{
    return system_write_at(j->descriptor, bytes, count, offset);
}

// Bytes beyond the end of the file read as zeros.
static void read_at(const journal* j, void* bytes, size_t count, uint64_t offset)
{
    char* at = bytes;
    while (count > 0) {
        const ptrdiff_t got = system_read_at(j->descriptor, at, count, offset);
        if (got < 0) {
            fail(j->path, strerror(errno));
        }
        if (got == 0) {
            memset(at, 0, count);
            return;
        }
        const size_t done = (size_t)got;
        at += done, offset += done, count -= done;
    }
}

// FNV-1a, eight bytes at a time.
static uint64_t check_of(uint64_t hash, const uint64_t* words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t check_bytes(const unsigned char* bytes, size_t count)
{
    return zip_crc(0, bytes, count);
}

// --- create and open ------------------------------------------------------------------------------

static void close_journal(void* thing)
{
    journal* j = thing;
    system_close(j->descriptor);
}

static journal* adopt_descriptor(const char* path, int descriptor)
{
    journal* j = memory_allocate(1, sizeof *j);
    j->path = path;
    j->descriptor = descriptor;
    memory_own(j, close_journal);
    return j;
}

static void set_slot_layout(journal* j, size_t metadata_size)
{
    const uint64_t bytes = sizeof(header) + metadata_size;
    j->begin = (bytes + SLOTS_ALIGNED - 1) / SLOTS_ALIGNED * SLOTS_ALIGNED;
    j->width = j->metadata.input_count + j->metadata.output_count;
    const size_t cases = j->metadata.case_count, rest = cases % j->shards;
    j->slots = cases / j->shards + (j->shard <= rest);
    j->slot = memory_allocate(j->width + SLOT_EXTRA, sizeof *j->slot);
    j->read = memory_allocate(AT_ONCE * (j->width + SLOT_EXTRA), sizeof *j->read);
}

static uint64_t slot_size(const journal* j)
{
    return (j->width + SLOT_EXTRA) * sizeof(double);
}

_Noreturn static void fail_busy(const char* path)
{
    fail(path, "another sweep is writing to it");
}

// False: another process has the lock. One that was killed has it until it has ended.
static bool can_lock(int descriptor)
{
    static const double PATIENCE = 1, NAP = 0.01; // [s]
    const double start = system_clock();
    while (!system_lock(descriptor, false) && (errno == EACCES || errno == EAGAIN)) {
        if (system_clock() - start > PATIENCE) {
            return false;
        }
        system_sleep(NAP);
    }
    return true;
}

// No other process may write to the journal at the same time.
static void lock(const journal* j)
{
    if (!can_lock(j->descriptor)) {
        fail_busy(j->path);
    }
}

// A new file; one with a name gets it in publish(). `path`: of the file until then.
static int open_new(const char* name, const char* folder, char path[SYSTEM_PATH])
{
    const char* base = name ? system_name(name) : "journal";
    const int descriptor = temporary_create(name ? output_folder(name) : folder, base, path);
    if (descriptor < 0) {
        message_fail(EXIT_COMPUTATION, "%s: cannot be written: %s", name ? name : folder,
                     strerror(errno));
    }
    system_set_mode(descriptor, NULL);
    return descriptor;
}

static void write_header(journal* j, const unsigned char* packed, size_t size)
{
    header h = {.order = ORDER,
                .metadata_size = size,
                .metadata_check = check_bytes(packed, size),
                .shard = j->shard,
                .shards = j->shards};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    if (!write_at(j, packed, size, sizeof h) || !write_at(j, &h, sizeof h, 0)) {
        message_fail(EXIT_COMPUTATION, "%s: cannot be written: %s",
                     *j->path ? j->path : "the journal", strerror(errno));
    }
}

journal* journal_create(const char* name, const char* folder, const sweep_metadata* metadata,
                        size_t shard, size_t shards)
{
    size_t size;
    char path[SYSTEM_PATH];
    const unsigned char* packed = sweep_metadata_pack(metadata, &size);
    journal* j = adopt_descriptor(name ? name : "", open_new(name, folder, path));
    j->metadata = *metadata;
    j->shard = shard;
    j->shards = shards;
    set_slot_layout(j, size);
    j->tail = j->begin + j->slots * slot_size(j);
    write_header(j, packed, size);
    // now the complete header gets its name: a sweep that is killed leaves a journal that --resume reads, or none
    if (!(name ? system_rename_new(path, name) : system_remove(path))) {
        if (name && errno == EEXIST) { // a sweep that started at the same time
            fail_busy(name);
        }
        message_fail(EXIT_COMPUTATION, "%s: cannot be written: %s", name ? name : folder,
                     strerror(errno));
    }
    temporary_forget(path);
    return j;
}

bool journal_exists(const char* path)
{
    return system_exists(path);
}

void journal_check_idle(const char* path)
{
    const int descriptor = system_open(path, false, false);
    if (descriptor >= 0) {
        const bool is_idle = can_lock(descriptor);
        system_close(descriptor);
        if (!is_idle) {
            fail_busy(path);
        }
    }
}

// The metadata of the sweep; NULL: damaged or missing.
static const sweep_metadata* read_metadata(const journal* j, const header* h, uint64_t file_size)
{
    if (h->metadata_size > file_size) {
        return NULL;
    }
    unsigned char* packed = memory_allocate(h->metadata_size + 1, 1);
    read_at(j, packed, h->metadata_size, sizeof *h);
    return check_bytes(packed, h->metadata_size) == h->metadata_check
               ? sweep_metadata_unpack(packed, h->metadata_size)
               : NULL;
}

static void read_header(journal* j, uint64_t file_size)
{
    header h;
    read_at(j, &h, sizeof h, 0);
    const bool is_journal = memcmp(h.magic, MAGIC, MAGIC_NAME) == 0;
    const bool is_current = memcmp(h.magic, MAGIC, sizeof MAGIC) == 0;
    if (!is_current || h.order != ORDER) {
        message_fail(EXIT_USAGE, "%s: is not a part or journal of a sweep%s", j->path,
                     is_current   ? " that was written on this kind of machine"
                     : is_journal ? " that was written by this version of bristle"
                                  : "");
    }
    const sweep_metadata* metadata = read_metadata(j, &h, file_size);
    if (!metadata || h.shard == 0 || h.shard > h.shards || h.shards > metadata->case_count) {
        message_fail(EXIT_USAGE, "%s: its header is damaged", j->path);
    }
    j->metadata = *metadata;
    j->shard = h.shard;
    j->shards = h.shards;
    set_slot_layout(j, h.metadata_size);
}

journal* journal_open(const char* path, bool read_only)
{
    const int descriptor = system_open(path, read_only, false);
    if (descriptor < 0) {
        message_fail(EXIT_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    }
    journal* j = adopt_descriptor(path, descriptor);
    if (!read_only) {
        lock(j);
        // a kill while the journal got its name leaves a second name; closing that one releases the lock
        temporary_remove_stale(output_folder(path), system_name(path));
        lock(j);
    }
    const uint64_t size = system_size(descriptor);
    read_header(j, size);
    const uint64_t end = j->begin + j->slots * slot_size(j);
    j->tail = size > end ? size : end;
    return j;
}

bool journal_is_of(const journal* j, const sweep_metadata* metadata)
{
    const sweep_metadata* own = &j->metadata;
    const char* pairs[][2] = {{own->version, metadata->version},
                              {own->scenario, metadata->scenario},
                              {own->set, metadata->set},
                              {own->plan, metadata->plan},
                              {own->files, metadata->files}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i][0], pairs[i][1]) != 0) {
            return false;
        }
    }
    return true;
}

// --- cases ----------------------------------------------------------------------------------------

static size_t slot_of(const journal* j, size_t index)
{
    return index / j->shards;
}

// Append an error text; returns its file offset, 0: it could not be written.
static uint64_t append_failure(journal* j, const char* text)
{
    const size_t length = strlen(text) < MOST_FAILURE ? strlen(text) : MOST_FAILURE;
    const uint64_t at = j->tail;
    const failure_header h = {length, check_bytes((const unsigned char*)text, length)};
    if (!write_at(j, &h, sizeof h, at) || !write_at(j, text, length, at + sizeof h)) {
        return 0;
    }
    j->tail += sizeof h + length;
    return at;
}

bool journal_note(journal* j, size_t index, const double* inputs, const double* outputs,
                  const char* failure)
{
    const size_t given = j->metadata.input_count;
    uint64_t* slot = j->slot;
    memcpy(slot, inputs, given * sizeof *inputs);
    memcpy(slot + given, outputs, j->metadata.output_count * sizeof *outputs);
    slot[j->width + SLOT_STATUS] = failure ? append_failure(j, failure) : STATUS_RAN;
    slot[j->width + SLOT_CHECK] = check_of(index + 1, slot, j->width + SLOT_CHECK);
    j->read_count = 0; // cached slots may be outdated
    return slot[j->width + SLOT_STATUS] != STATUS_EMPTY &&
           write_at(j, slot, slot_size(j), j->begin + slot_of(j, index) * slot_size(j));
}

// The error text at an offset of the file; NULL: it is damaged.
static const char* read_failure(const journal* j, uint64_t at)
{
    static char text[MOST_FAILURE + 1];
    failure_header h;
    read_at(j, &h, sizeof h, at);
    if (h.length == 0 || h.length > MOST_FAILURE) {
        return NULL;
    }
    read_at(j, text, h.length, at + sizeof h);
    text[h.length] = '\0';
    return check_bytes((const unsigned char*)text, h.length) == h.check ? text : NULL;
}

// Slot `position`, read together with its neighbours.
static const uint64_t* read_slot(journal* j, size_t position)
{
    if (position < j->read_first || position >= j->read_first + j->read_count) {
        j->read_first = position / AT_ONCE * AT_ONCE;
        j->read_count = AT_ONCE;
        read_at(j, j->read, AT_ONCE * slot_size(j), j->begin + j->read_first * slot_size(j));
    }
    return j->read + (position - j->read_first) * (j->width + SLOT_EXTRA);
}

journal_case journal_read(journal* j, size_t index)
{
    const uint64_t* slot = read_slot(j, slot_of(j, index));
    const uint64_t status = slot[j->width + SLOT_STATUS], check = slot[j->width + SLOT_CHECK];
    const bool is_whole =
        status != STATUS_EMPTY && check == check_of(index + 1, slot, j->width + SLOT_CHECK);
    const bool failed = is_whole && status != STATUS_RAN;
    const char* failure = failed ? read_failure(j, status) : NULL;
    return (journal_case){is_whole && (!failed || failure), (const double*)slot, failure};
}

void journal_finish(journal* j, const char* name)
{
    if (name && (!system_sync(j->descriptor) || !system_replace(j->path, name))) {
        fail(name, strerror(errno));
    }
    if (!name && *j->path) {
        system_remove(j->path);
    }
}
