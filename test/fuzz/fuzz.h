/*
 * What the fuzz targets share: numbers from the bytes of an input, a file with these bytes.
 *
 * A target is LLVMFuzzerTestOneInput() of libFuzzer. Numbers that make trouble (NaN, infinities, denormal and huge ones)
 * are one byte, ordinary ones two, any other double nine. An input that is used up gives zeros.
 */
#ifndef BRISTLE_TEST_FUZZ_H
#define BRISTLE_TEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bristle/bristle.h"

// The rest of an input.
typedef struct input {
    const uint8_t* at;
    size_t left;
} input;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

uint8_t take_byte(input* in);

// 0..count - 1
size_t take_index(input* in, size_t count);

// Any double.
double take_number(input* in);

void take_numbers(input* in, double* to, size_t count);

// An enumerator below `count`, at times one beyond.
int take_choice(input* in, size_t count);

// Change a number at times; most keep what they have, so that definitions pass their checks.
void vary(input* in, double* number);
void vary_size(input* in, size_t* number, size_t most);

br_twist take_twist(input* in);
br_wrench take_wrench(input* in);
br_law take_law(input* in);
br_profile take_profile(input* in, double* t, double* value, size_t most);

// A patch of any shape, refused or not; NULL where it is refused.
br_patch* take_patch(input* in);

// A contact of any method on such a patch, NULL where it is refused.
br_contact* take_contact(input* in);

// States of a contact, some of them taken (state count); free them with free().
double* take_states(input* in, const br_contact* contact);

// Path of a file that has these bytes; the same one at every call.
const char* file_with(const void* bytes, size_t size);

// The input as a text, terminated by 0; valid until the next call. NULL: too long.
const char* text_of(const uint8_t* data, size_t size);

// Ends the target where a promise of the library does not hold.
void demand(bool holds);

// Equal, or both NaN.
bool is_same(double a, double b);

// Finite, and 0 or of a size whose products do not overflow.
bool is_ordinary(const double* numbers, size_t count);

// Read a number: memory that is not its own shows.
void look_at(double number);

// A stop of a run after some steps: `user` is a size_t, the steps that are left.
bool stop_soon(double t, void* user);

#endif
