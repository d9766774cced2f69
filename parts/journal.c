/*
 * The journal of a sweep.
 */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"
#include "temporary.h"
#include "zip.h"

static const char MAGIC[16] = "bristle sweep 1\n";

// At the beginning of the file; numbers as this machine has them, which `order` tells.
typedef struct header {
    char magic[16];
    uint64_t order;
    uint64_t story_size, story_check;
    uint64_t shard, shards;
} header;

static const uint64_t ORDER = 0x0102030405060708;

// What a slot has besides its numbers.
enum { SLOT_STATUS, SLOT_CHECK, SLOT_EXTRA };

// The status of a slot; others are where the text of its failure stands.
enum { STATUS_EMPTY, STATUS_RAN };

enum { SLOTS_ALIGNED = 4096, MOST_FAILURE = 4096, AT_ONCE = 256 };

_Noreturn static void fail(const char* path, const char* problem)
{
    message_fail(EXIT_COMPUTATION, "%s: %s", path, problem);
}

// --- bytes ----------------------------------------------------------------------------------------

static bool write_at(const journal* j, const void* bytes, size_t count, uint64_t offset)
{
    const char* at = bytes;
    while (count > 0) {
        const ssize_t written = pwrite(j->descriptor, at, count, (off_t)offset);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        const size_t done = written > 0 ? (size_t)written : 0;
        at += done, offset += done, count -= done;
    }
    return true;
}

// What is not there reads as zeros.
static void read_at(const journal* j, void* bytes, size_t count, uint64_t offset)
{
    char* at = bytes;
    while (count > 0) {
        const ssize_t got = pread(j->descriptor, at, count, (off_t)offset);
        if (got == 0) {
            memset(at, 0, count);
            return;
        }
        if (got < 0 && errno != EINTR) {
            fail(j->path, strerror(errno));
        }
        const size_t done = got > 0 ? (size_t)got : 0;
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

// --- life -----------------------------------------------------------------------------------------

static void close_journal(void* thing)
{
    journal* j = thing;
    close(j->descriptor);
}

static journal* hold(const char* path, int descriptor)
{
    journal* j = memory_allocate(1, sizeof *j);
    j->path = path;
    j->descriptor = descriptor;
    memory_own(j, close_journal);
    return j;
}

static void lay_slots(journal* j, size_t story_size)
{
    const uint64_t bytes = sizeof(header) + story_size;
    j->begin = (bytes + SLOTS_ALIGNED - 1) / SLOTS_ALIGNED * SLOTS_ALIGNED;
    j->width = j->story.input_count + j->story.want_count;
    const size_t cases = j->story.case_count, rest = cases % j->shards;
    j->slots = cases / j->shards + (j->shard <= rest);
    j->slot = memory_allocate(j->width + SLOT_EXTRA, sizeof *j->slot);
    j->read = memory_allocate(AT_ONCE * (j->width + SLOT_EXTRA), sizeof *j->read);
}

static uint64_t slot_size(const journal* j)
{
    return (j->width + SLOT_EXTRA) * sizeof(double);
}

// Nobody else may write to it at the same time.
static void lock(const journal* j)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(j->descriptor, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
        fail(j->path, "another sweep is writing to it");
    }
}

static int open_new(const char* path, const char* folder)
{
    char unnamed[PATH_MAX];
    const int descriptor = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                                : temporary_create(folder, unnamed);
    if (descriptor < 0) {
        message_fail(EXIT_COMPUTATION, "%s: cannot be written: %s", path ? path : folder,
                     strerror(errno));
    }
    if (!path) {
        unlink(unnamed);
        temporary_forget(unnamed);
    }
    return descriptor;
}

journal* journal_create(const char* path, const char* folder, const sweep_story* story,
                        size_t shard, size_t shards)
{
    size_t size;
    const unsigned char* packed = sweep_story_pack(story, &size);
    journal* j = hold(path ? path : "", open_new(path, folder));
    lock(j);
    j->story = *story;
    j->shard = shard;
    j->shards = shards;
    lay_slots(j, size);
    j->tail = j->begin + j->slots * slot_size(j);
    header h = {.order = ORDER,
                .story_size = size,
                .story_check = check_bytes(packed, size),
                .shard = shard,
                .shards = shards};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    if (!write_at(j, packed, size, sizeof h) || !write_at(j, &h, sizeof h, 0)) {
        fail(j->path, strerror(errno));
    }
    return j;
}

bool journal_exists(const char* path)
{
    return access(path, F_OK) == 0;
}

// The story of a sweep; NULL: it is damaged, or not there.
static const sweep_story* read_story(const journal* j, const header* h, uint64_t file_size)
{
    if (h->story_size > file_size) {
        return NULL;
    }
    unsigned char* packed = memory_allocate(h->story_size + 1, 1);
    read_at(j, packed, h->story_size, sizeof *h);
    return check_bytes(packed, h->story_size) == h->story_check
               ? sweep_story_unpack(packed, h->story_size)
               : NULL;
}

static void read_header(journal* j, uint64_t file_size)
{
    header h;
    read_at(j, &h, sizeof h, 0);
    const bool is_journal = memcmp(h.magic, MAGIC, sizeof MAGIC) == 0;
    if (!is_journal || h.order != ORDER) {
        message_fail(EXIT_USAGE, "%s: is not a part or journal of a sweep%s", j->path,
                     is_journal ? " that was made on this kind of machine" : "");
    }
    const sweep_story* story = read_story(j, &h, file_size);
    if (!story || h.shard == 0 || h.shard > h.shards || h.shards > story->case_count) {
        message_fail(EXIT_USAGE, "%s: its beginning is damaged", j->path);
    }
    j->story = *story;
    j->shard = h.shard;
    j->shards = h.shards;
    lay_slots(j, h.story_size);
}

journal* journal_open(const char* path, bool read_only)
{
    const int descriptor = open(path, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (descriptor < 0) {
        message_fail(EXIT_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    }
    journal* j = hold(path, descriptor);
    if (!read_only) {
        lock(j);
    }
    struct stat status;
    const uint64_t size = fstat(descriptor, &status) == 0 ? (uint64_t)status.st_size : 0;
    read_header(j, size);
    const uint64_t end = j->begin + j->slots * slot_size(j);
    j->tail = size > end ? size : end;
    return j;
}

bool journal_is_of(const journal* j, const sweep_story* story)
{
    const sweep_story* own = &j->story;
    const char* pairs[][2] = {{own->version, story->version},
                              {own->scenario, story->scenario},
                              {own->set, story->set},
                              {own->plan, story->plan},
                              {own->files, story->files}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i][0], pairs[i][1]) != 0) {
            return false;
        }
    }
    return true;
}

// --- cases ----------------------------------------------------------------------------------------

static size_t place_of(const journal* j, size_t index)
{
    return index / j->shards;
}

// Where the text of a failure went; 0: it could not be written.
static uint64_t note_failure(journal* j, const char* text)
{
    const size_t length = strlen(text) < MOST_FAILURE ? strlen(text) : MOST_FAILURE;
    const uint64_t at = j->tail, count = length;
    if (!write_at(j, &count, sizeof count, at) || !write_at(j, text, length, at + sizeof count)) {
        return 0;
    }
    j->tail += sizeof count + length;
    return at;
}

bool journal_note(journal* j, size_t index, const double* inputs, const double* wants,
                  const char* failure)
{
    const size_t given = j->story.input_count;
    uint64_t* slot = j->slot;
    memcpy(slot, inputs, given * sizeof *inputs);
    memcpy(slot + given, wants, j->story.want_count * sizeof *wants);
    slot[j->width + SLOT_STATUS] = failure ? note_failure(j, failure) : STATUS_RAN;
    slot[j->width + SLOT_CHECK] = check_of(index + 1, slot, j->width + SLOT_CHECK);
    j->read_count = 0; // what was read may be old
    return slot[j->width + SLOT_STATUS] != STATUS_EMPTY &&
           write_at(j, slot, slot_size(j), j->begin + place_of(j, index) * slot_size(j));
}

static const char* read_failure(const journal* j, uint64_t at)
{
    static char text[MOST_FAILURE + 1];
    uint64_t length;
    read_at(j, &length, sizeof length, at);
    length = length < MOST_FAILURE ? length : MOST_FAILURE;
    read_at(j, text, length, at + sizeof length);
    text[length] = '\0';
    return text;
}

// Slot `place`, read with those around it.
static const uint64_t* read_slot(journal* j, size_t place)
{
    if (place < j->read_first || place >= j->read_first + j->read_count) {
        j->read_first = place / AT_ONCE * AT_ONCE;
        j->read_count = AT_ONCE;
        read_at(j, j->read, AT_ONCE * slot_size(j), j->begin + j->read_first * slot_size(j));
    }
    return j->read + (place - j->read_first) * (j->width + SLOT_EXTRA);
}

journal_case journal_read(journal* j, size_t index)
{
    const uint64_t* slot = read_slot(j, place_of(j, index));
    const uint64_t status = slot[j->width + SLOT_STATUS], check = slot[j->width + SLOT_CHECK];
    const bool is_done =
        status != STATUS_EMPTY && check == check_of(index + 1, slot, j->width + SLOT_CHECK);
    const bool failed = is_done && status != STATUS_RAN;
    return (journal_case){is_done, (const double*)slot, failed ? read_failure(j, status) : NULL};
}

void journal_finish(journal* j, const char* name)
{
    if (name && (fsync(j->descriptor) != 0 || rename(j->path, name) != 0)) {
        fail(name, strerror(errno));
    }
    if (!name && *j->path) {
        unlink(j->path);
    }
}
