/*
 * JavaScript's Math instead of the C library's functions, whose code and tables take 25 kB. The
 * results differ by about one unit in the last place.
 */

// double name(double), imported from Math.name
#define OF_ONE(name)                                                                               \
    __attribute__((import_module("Math"), import_name(#name))) double host_##name(double);         \
    double name(double);                                                                           \
    double name(double x)                                                                          \
    {                                                                                              \
        return host_##name(x);                                                                     \
    }
#define OF_TWO(name)                                                                               \
    __attribute__((import_module("Math"), import_name(#name))) double host_##name(double, double); \
    double name(double, double);                                                                   \
    double name(double a, double b)                                                                \
    {                                                                                              \
        return host_##name(a, b);                                                                  \
    }

OF_ONE(sin)
OF_ONE(cos)
OF_ONE(tan)
OF_ONE(asin)
OF_ONE(acos)
OF_ONE(atan)
OF_TWO(atan2)
OF_ONE(sinh)
OF_ONE(cosh)
OF_ONE(asinh)
OF_ONE(exp)
OF_ONE(expm1)
OF_ONE(log)
OF_ONE(log1p)
OF_ONE(log10)
OF_ONE(cbrt)
OF_TWO(pow)
