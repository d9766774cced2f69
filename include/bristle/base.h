/// @file base.h
/// What every part of bristle shares: statuses, reasons, memory and assertion hooks, version.
#ifndef BRISTLE_BASE_H
#define BRISTLE_BASE_H

#include <stddef.h>

#include "bristle/version.h"

/// Marks what the shared libraries export; everything else is hidden.
#if defined(__GNUC__)
#define BR_API __attribute__((visibility("default")))
#else
/// Nothing, where the compiler exports everything.
#define BR_API
#endif

#if defined(__GNUC__)
/// Lets the compiler check printf-like arguments.
#define BR_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
/// Nothing, where the compiler cannot check them.
#define BR_PRINTF(string, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The statuses, written once: name, value, text.
#define BR_STATUS_LIST(X)                                                                          \
    X(BR_OK, 0, "ok")                                                                              \
    X(BR_ERR_ARG, 1, "an argument is out of its range")                                            \
    X(BR_ERR_DEF, 2, "a definition holds a value that cannot be")                                  \
    X(BR_ERR_MEMORY, 3, "out of memory")                                                           \
    X(BR_ERR_CONVERGENCE, 4, "the computation could not be finished")                              \
    X(BR_ERR_STOPPED, 5, "stopped on the caller's request")                                        \
    X(BR_ERR_ABSENT, 6, "this build does not have it")

/// Result of every call that can fail. ARG or DEF? Whatever `br_reason.field` names: a parameter of the
/// call ("h", "points") is BR_ERR_ARG; a member of a structure that the call was given ("radius",
/// "contacts[0].fn") is BR_ERR_DEF, also where the structure goes on to an inner call as a parameter.
typedef enum br_status {
#define BR_STATUS_ENUM(name, value, text) name = value, ///< see BR_STATUS_LIST
    BR_STATUS_LIST(BR_STATUS_ENUM)
#undef BR_STATUS_ENUM
} br_status;

/// Why a call failed: which field, and what is wrong with it.
typedef struct br_reason {
    char field[64]; ///< the field's name, e.g. "sigma0"; empty if no single field is at fault
    char text[192]; ///< what is wrong and what is allowed, e.g. "must be > 0, got -1"
} br_reason;

/// One sentence for a status; never NULL.
BR_API const char* br_status_text(br_status status);

/// Fill a reason. For code that extends bristle (bindings, one's own mechanisms).
/// @param[out] why  may be NULL, then nothing happens
/// @param field     name of the field at fault, cut to fit; "" for none
/// @param format    printf format of the text, cut to fit
BR_API void br_reason_set(br_reason* why, const char* field, const char* format, ...)
    BR_PRINTF(3, 4);

/// Version of the library that is running, e.g. "0.1.0"; BR_VERSION is that of the headers.
BR_API const char* br_version(void);

/// Returns at least `bytes` (> 0) bytes fit for any type, or NULL.
typedef void* (*br_allocate_fn)(size_t bytes, void* user);
/// Takes back what the matching br_allocate_fn gave; `memory` is not NULL.
typedef void (*br_release_fn)(void* memory, void* user);

/// Replace malloc and free for all of bristle. Not thread-safe: call it before anything else.
/// @param allocate,release  both, or both NULL to go back to malloc and free
/// @param user              handed to both, borrowed, may be NULL
BR_API void br_set_allocator(br_allocate_fn allocate, br_release_fn release, void* user);

/// Zeroed memory for `count` things of `bytes` each, from the hook; NULL if there is none or the
/// product overflows. For code that extends bristle. Free it with br_release().
BR_API void* br_allocate(size_t count, size_t bytes);

/// Give back what br_allocate() gave; NULL is allowed.
BR_API void br_release(void* memory);

/// Told of a broken precondition, a mistake that only code can make.
typedef void (*br_assert_fn)(const char* expression, const char* file, int line);

/// Replace what happens on a failed assertion (default: print to stderr and abort). Not
/// thread-safe. Assertions exist only in builds without NDEBUG. NULL: the default.
BR_API void br_set_assert_handler(br_assert_fn handler);

/// Report a broken precondition to the handler. Called by BR_ASSERT.
BR_API void br_assert_failed(const char* expression, const char* file, int line);

#ifdef __cplusplus
}
#endif

/// Checks a precondition in builds without NDEBUG; costs nothing otherwise.
#ifdef NDEBUG
#define BR_ASSERT(expression) ((void)0)
#else
#define BR_ASSERT(expression)                                                                      \
    ((expression) ? (void)0 : br_assert_failed(#expression, __FILE__, __LINE__))
#endif

#endif
