/*
 * Plain loops that the compiler makes into vector code, once for every x86-64 and once for those with
 * AVX2 and FMA: write the loop as an INLINE function and wrap it with each of WIDE and nothing.
 */
#ifndef BRISTLE_SIM_WIDE_H
#define BRISTLE_SIM_WIDE_H

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

// A body with constants among its parameters, compiled for each of their values, or once for all where the program is
// to be small, a module of WebAssembly.
#ifdef __wasm__
#define SPECIAL static __attribute__((noinline))
#else
#define SPECIAL INLINE
#endif

// Before a loop: its rounds do not depend on each other, whatever its arrays are.
#if defined(__GNUC__) && !defined(__clang__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

#if defined(__x86_64__) && defined(__GNUC__)

#define WIDE __attribute__((target("avx2,fma")))

static inline int is_wide(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#else

#define WIDE

static inline int is_wide(void)
{
    return 0;
}

#endif

#endif
