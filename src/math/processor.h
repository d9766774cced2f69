/*
 * Vector code: one source, compiled for several kinds of processors and chosen at run time.
 *
 *   VECTOR_LANES       the lengths of vectors that code exists for, a sum of 1, 2, 4, 8 doubles
 *   FOR_4, FOR_8       compile the function that follows for vectors of 4 (AVX2, FMA) or 8 (AVX-512), whatever the
 *                      rest of the file is compiled for; called only where processor_has() that length
 *   INLINE, SPECIAL    for code that such functions share: it is compiled for the same instructions as its caller
 *   INDEPENDENT        before a loop: its rounds do not depend on each other, whatever its arrays are
 *   NOINLINE           a function that is called, so that its code exists once
 *   BRISTLE_SCALAR     no vector types of GNU C: one number at a time in plain C (math/one_lane.h). The default of
 *                      compilers that do not have these types, and where a float is computed as a longer number (x87,
 *                      s390x in ISO C), which does not fit into a vector; -DBRISTLE_SCALAR chooses it for any
 */
#ifndef BRISTLE_MATH_PROCESSOR_H
#define BRISTLE_MATH_PROCESSOR_H

#include <float.h>
#include <stdbool.h>

#if !defined(BRISTLE_SCALAR) &&                                                                    \
    (!defined(__GNUC__) || defined(__TINYC__) || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2)
#define BRISTLE_SCALAR
#endif

#if defined(__GNUC__) && !defined(__TINYC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif

#if defined(INLINE) // chosen by the caller: where coverage is measured, code is to exist once
#elif defined(__GNUC__) && !defined(__TINYC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

// A function with constants among its parameters, compiled for each of their values, but only once in a WebAssembly
// module, which is to be small.
#ifdef __wasm__
#define SPECIAL static __attribute__((noinline, unused))
#else
#define SPECIAL INLINE
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

#if defined(BRISTLE_SCALAR)
#undef VECTOR_LANES
#define VECTOR_LANES 1
#elif defined(VECTOR_LANES) // chosen by the caller
#elif defined(__x86_64__) && defined(__GNUC__)
#define VECTOR_LANES 15
#elif defined(__aarch64__)
#define VECTOR_LANES 3
#elif defined(__wasm_simd128__) // a module for browsers is to be small: only pairs
#define VECTOR_LANES 2
#else
#define VECTOR_LANES 1
#endif

#if VECTOR_LANES & 8
#define FOR_4 __attribute__((target("avx2,fma")))
#ifdef __clang__ // which does not know the width here, and would ignore all of the attribute
#define FOR_8 __attribute__((target("avx512f,avx512dq,avx512vl")))
#else
#define FOR_8 __attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#else
#define FOR_4
#define FOR_8
#endif

// Does this processor run code for vectors of 1, 2, 4 or 8 doubles? It was detected when the program started.
static inline bool processor_has(int lanes)
{
#if VECTOR_LANES & 8
    if (lanes == 8) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    }
    if (lanes == 4) {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    }
#endif
    return lanes == 1 || (lanes & VECTOR_LANES & 2) != 0;
}

#endif
