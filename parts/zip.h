/*
 * NumPy's NPZ format: a zip archive without compression, one member NAME.npy per array.
 *
 *     member = local header (zip) + npy header + values; at the end the zip's directory
 *
 * Formats: PKWARE's APPNOTE 4.3, NumPy's NEP 1 (npy version 1.0).
 */
#ifndef PARTS_ZIP_H
#define PARTS_ZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NPY_LEAST_HEADER = 128 }; // bytes; NumPy wants a multiple of 64

// A zip without its 64-bit extension is smaller than this [bytes].
static const uint64_t ZIP_LARGEST = UINT32_MAX;

// One member of the archive.
typedef struct zip_member {
    const char* name;
    uint32_t crc;
    uint64_t bytes;
    uint64_t offset; // of its local header
} zip_member;

// CRC-32 updated with more bytes; start with 0.
uint32_t zip_crc(uint32_t crc, const void* bytes, size_t count);

// Write `value` in little-endian order. Returns the position after it.
unsigned char* zip_put(unsigned char* to, uint64_t value, int bytes);

// Bytes of a local header.
size_t zip_local_size(const zip_member* m);

// The header before a member.
void zip_write_local(const zip_member* m, FILE* to);

// The directory at the end of the archive, which starts at `offset`.
void zip_write_directory(const zip_member* members, size_t count, uint64_t offset, FILE* to);

// The header of an array of NumPy's `type` ("<f8") and shape ("3, 2,"); its size [bytes] is written to `size`.
unsigned char* npy_header(const char* type, const char* shape, size_t* size);

#endif
