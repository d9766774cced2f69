/*
 * Reference counts: a shared object is freed with the last of its owners, in any thread.
 */
#ifndef BRISTLE_BASE_OWNERS_H
#define BRISTLE_BASE_OWNERS_H

#include <stdatomic.h>
#include <stddef.h>

// Number of owners besides the first: 0 when allocated.
typedef struct owners {
    atomic_size_t others;
} owners;

static inline void owners_join(owners* of)
{
    atomic_fetch_add_explicit(&of->others, 1, memory_order_relaxed);
}

// 1: this was the last owner. All writes of the others before they left are visible then.
static inline int owners_leave(owners* of)
{
    return atomic_fetch_sub_explicit(&of->others, 1, memory_order_acq_rel) == 0;
}

#endif
