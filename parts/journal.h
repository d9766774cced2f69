/*
 * The journal of a sweep: the results of its cases, in a file that remains if the command is killed.
 *
 *     header, description of the sweep | a slot of fixed size for each case | texts of failures
 *
 * A slot is empty (zeros) or complete, which its checksum shows. Whatever ends the command, even kill -9 or a full disk,
 * only the cases being computed are lost. Shard k/n has the cases k - 1, k - 1 + n, ...: its journal is one part of n.
 */
#ifndef PARTS_JOURNAL_H
#define PARTS_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep_metadata.h"

typedef struct journal {
    const char* path; // "": an unnamed file
    int descriptor;
    sweep_metadata metadata;
    size_t shard, shards; // from 1; 1 of 1: the whole sweep
    size_t slots;         // cases of this part
    size_t width;         // numbers of a slot
    uint64_t begin;       // offset of the slots [bytes]
    uint64_t tail;        // offset of the next error text [bytes]
    uint64_t* slot;       // buffer for the slot being written
    uint64_t* read;       // cached slots (read_count), from `read_first` on
    size_t read_first, read_count;
} journal;

// A case in the journal.
typedef struct journal_case {
    bool is_done;
    const double* numbers; // inputs, then outputs (width)
    const char* failure;   // error text, NULL: none; both pointers are valid until the next call
} journal_case;

// Create a journal; the file must not exist. `path` NULL: an unnamed file in `folder`.
journal* journal_create(const char* path, const char* folder, const sweep_metadata* metadata,
                        size_t shard, size_t shards);

// Open an existing journal, to continue or (read_only) to read it; any other file ends the command.
journal* journal_open(const char* path, bool read_only);

// Does a file of this name exist?
bool journal_exists(const char* path);

// A journal that another process is writing to ends the command.
void journal_check_idle(const char* path);

// Is this the journal of the sweep with this metadata?
bool journal_is_of(const journal* j, const sweep_metadata* metadata);

// Store the result of a case of this part (`index` in the whole sweep). Returns false and sets errno on failure.
bool journal_note(journal* j, size_t index, const double* inputs, const double* outputs,
                  const char* failure);

// Case `index` of the whole sweep, which must be one of this part.
journal_case journal_read(journal* j, size_t index);

// The sweep is finished: rename the file, or remove it (NULL).
void journal_finish(journal* j, const char* name);

#endif
