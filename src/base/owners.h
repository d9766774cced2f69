/*
 * Reference counts: a shared object is freed with the last of its owners, in any thread.
 */
#ifndef BRISTLE_BASE_OWNERS_H
#define BRISTLE_BASE_OWNERS_H

#include <stddef.h>

#if defined(_MSC_VER) && !defined(__clang__) // its stdatomic.h needs an experimental option

#include <intrin.h>

// Number of owners besides the first: 0 when allocated.
typedef struct owners {
    volatile long others;
} owners;

static inline void owners_join(owners* of)
{
    _InterlockedIncrement(&of->others);
}

// 1: this was the last owner. All writes of the others before they left are visible then.
static inline int owners_leave(owners* of)
{
    return _InterlockedDecrement(&of->others) == -1;
}

#elif __STDC_VERSION__ < 201112L || defined(__STDC_NO_ATOMICS__)

// A compiler without atomic numbers: objects that share data are to be created and destroyed in one thread.
typedef struct owners {
    size_t others;
} owners;

static inline void owners_join(owners* of)
{
    of->others++;
}

static inline int owners_leave(owners* of)
{
    return of->others-- == 0;
}

#else

#include <stdatomic.h>

typedef struct owners {
    atomic_size_t others;
} owners;

static inline void owners_join(owners* of)
{
    atomic_fetch_add_explicit(&of->others, 1, memory_order_relaxed);
}

static inline int owners_leave(owners* of)
{
    return atomic_fetch_sub_explicit(&of->others, 1, memory_order_acq_rel) == 0;
}

#endif

#endif
