/// @file base.h
/// Shared by all modules: statuses, reasons, memory and assertion hooks, version.
#ifndef BRISTLE_BASE_H
#define BRISTLE_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "bristle/version.h"

/// Marks the symbols that the shared libraries export; all others are hidden.
#if defined(_WIN32) && defined(BRISTLE_EXPORTS)
#define BR_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define BR_API __attribute__((visibility("default")))
#else
/// Empty: programs for Windows take the functions of a DLL without it, and other compilers export all symbols.
#define BR_API
#endif

#if defined(__MINGW32__) && !defined(__clang__)
/// Makes the compiler check the arguments of a printf-like function, by the rules of ISO C.
#define BR_PRINTF(string, first) __attribute__((format(gnu_printf, string, first)))
#elif defined(__GNUC__)
#define BR_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
/// Empty: this compiler cannot check them.
#define BR_PRINTF(string, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The list of statuses: name, value, text.
#define BR_STATUS_LIST(X)                                                                          \
    X(BR_OK, 0, "ok")                                                                              \
    X(BR_ERR_ARG, 1, "an argument is out of its range")                                            \
    X(BR_ERR_DEF, 2, "a definition holds a value that is not allowed")                             \
    X(BR_ERR_MEMORY, 3, "out of memory")                                                           \
    X(BR_ERR_CONVERGENCE, 4, "the computation could not be finished")                              \
    X(BR_ERR_STOPPED, 5, "stopped on the caller's request")                                        \
    X(BR_ERR_ABSENT, 6, "this build does not have it")

/// Result of every call that can fail. `br_reason.field` decides between BR_ERR_ARG and BR_ERR_DEF.
/// A parameter of the call ("h", "points") is BR_ERR_ARG. A member of a structure that the caller
/// passed ("radius", "contacts[0].fn") is BR_ERR_DEF, also if the library passes it on as a
/// parameter.
typedef enum br_status {
#define BR_STATUS_ENUM(name, value, text) name = value, ///< see BR_STATUS_LIST
    BR_STATUS_LIST(BR_STATUS_ENUM)
#undef BR_STATUS_ENUM
} br_status;

/// Why a call failed: which field, and what is wrong with it.
typedef struct br_reason {
    char field[64]; ///< name of the field, e.g. "sigma0"; empty if no single field is wrong
    char text[192]; ///< what is wrong and what is allowed, e.g. "must be > 0, got -1"
} br_reason;

/// Text of a status: one sentence, static, never NULL.
BR_API const char* br_status_get_text(br_status status);

/// Read a definition of a caller that may have been compiled with an older header. The first member of a definition is its
/// size. New members are added at the end, so a shorter one keeps the defaults of those that it lacks. For code that
/// extends bristle.
/// @param given      the caller's definition
/// @param[in,out] to the definition with its defaults (bytes); gets what is given, and its own size
/// @param type       name of the type, for the message
/// @param[out] why   may be NULL
/// @return BR_OK, or BR_ERR_DEF where the size is 0 or larger than `bytes`
BR_API br_status br_definition_read(const void* given, void* to, size_t bytes, const char* type,
                                    br_reason* why);

/// Fill a reason. For code that extends bristle (bindings, user-written mechanisms).
/// @param[out] why  may be NULL: no effect
/// @param field     name of the field that is wrong, truncated to fit; "" for none
/// @param format    printf format of the text, truncated to fit
BR_API void br_reason_set(br_reason* why, const char* field, const char* format, ...)
    BR_PRINTF(3, 4);

/// Version of the library at run time, e.g. "0.1.0"; BR_VERSION is the version of the headers.
BR_API const char* br_get_version(void);

/// Allocates at least `bytes` (> 0) bytes, aligned for any type; NULL on failure.
typedef void* (*br_allocate_fn)(size_t bytes, void* user);
/// Frees memory of the matching br_allocate_fn; `memory` is not NULL.
typedef void (*br_release_fn)(void* memory, void* user);

/// Replace malloc and free in all of bristle. Not thread-safe: call it before any other function.
/// @param allocate,release  both, or both NULL to restore malloc and free
/// @param user              passed to both, borrowed, may be NULL
BR_API void br_set_allocator(br_allocate_fn allocate, br_release_fn release, void* user);

/// Allocate zeroed memory for `count` items of `bytes` each with the current allocator. For code that
/// extends bristle. NULL if there is no memory or the product overflows. Free it with br_release().
BR_API void* br_allocate(size_t count, size_t bytes);

/// Free memory of br_allocate(); NULL is allowed.
BR_API void br_release(void* memory);

/// Called when a precondition is violated, an error that only code can cause.
typedef void (*br_assert_fn)(const char* expression, const char* file, int line);

/// Replace the handler of failed assertions. NULL: the default, which prints to stderr and aborts. Not
/// thread-safe. Assertions exist only in builds without NDEBUG.
BR_API void br_set_assert_handler(br_assert_fn handler);

/// Report a violated precondition to the handler. Called by BR_ASSERT.
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
