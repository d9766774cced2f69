/*
 * The journal of a sweep: what each case gave, in a file that outlives the command.
 *
 *     header, description of the sweep | a slot of fixed size for each case | texts of failures
 *
 * A slot is empty (zeros) or whole: its check says so. Whatever ends the command, even kill -9 or a full disk, loses the
 * cases that were under way and no others. A shard k/n has the cases k - 1, k - 1 + n, ...: its journal is a part,
 * which n of make a whole.
 */
#ifndef PARTS_JOURNAL_H
#define PARTS_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep_story.h"

typedef struct journal {
    const char* path; // "" of one without a name
    int descriptor;
    sweep_story story;
    size_t shard, shards; // from 1; 1 of 1: all of it
    size_t slots;         // cases of this part
    size_t width;         // numbers of a slot
    uint64_t begin;       // of the slots [bytes]
    uint64_t tail;        // where the next text goes [bytes]
    uint64_t* slot;       // room for one that is written
    uint64_t* read;       // slots that were read (read_count), from `read_first` on
    size_t read_first, read_count;
} journal;

// A case as the journal has it.
typedef struct journal_case {
    bool is_done;
    const double* numbers; // inputs, then wants (width)
    const char* failure;   // NULL: it ran; both live until the next call
} journal_case;

// Begin one; a file of this name must not be there. `path` NULL: one without a name in `folder`.
journal* journal_create(const char* path, const char* folder, const sweep_story* story,
                        size_t shard, size_t shards);

// Open one that is there, to go on or (read_only) to read it; a file that is none ends the command.
journal* journal_open(const char* path, bool read_only);

// Is there a journal of this name?
bool journal_exists(const char* path);

// Does its story tell of the same sweep as this one?
bool journal_is_of(const journal* j, const sweep_story* story);

// Note what a case of this part gave (`index` in the whole sweep). false and errno: it could not be written.
bool journal_note(journal* j, size_t index, const double* inputs, const double* wants,
                  const char* failure);

// Case `index` of the whole sweep, which must be one of this part.
journal_case journal_read(journal* j, size_t index);

// All is done: the file gets another name, or goes away (NULL).
void journal_finish(journal* j, const char* name);

#endif
