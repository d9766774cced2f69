/*
 * NumPy's NPZ format.
 */
#include "zip.h"

#include <string.h>

#include "memory.h"

enum {
    ZIP_LOCAL = 30,          // bytes of a local header, without the name
    ZIP_ENTRY = 46,          // bytes of a directory entry, without the name
    ZIP_DATE = (1 << 5) | 1, // 1980-01-01: the same table gives the same file
    ZIP_VERSION = 20         // readable by version 2.0
};

// CRC-32 (IEEE 802.3, reflected), four bits at a time.
uint32_t zip_crc(uint32_t crc, const void* bytes, size_t count)
{
    static const uint32_t table16[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                         0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                         0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char* at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < count; i++) {
        crc ^= at[i];
        crc = table16[crc & 15] ^ (crc >> 4);
        crc = table16[crc & 15] ^ (crc >> 4);
    }
    return ~crc;
}

unsigned char* zip_put(unsigned char* to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        to[i] = (unsigned char)(value >> (8 * i));
    }
    return to + bytes;
}

size_t zip_local_size(const zip_member* m)
{
    return ZIP_LOCAL + strlen(m->name);
}

// The fields common to local headers and directory entries.
static unsigned char* put_common(unsigned char* at, const zip_member* m)
{
    at = zip_put(at, ZIP_VERSION, 2);
    at = zip_put(at, 0, 2); // flags
    at = zip_put(at, 0, 2); // stored, not compressed
    at = zip_put(at, 0, 2); // time
    at = zip_put(at, ZIP_DATE, 2);
    at = zip_put(at, m->crc, 4);
    at = zip_put(at, m->bytes, 4); // compressed
    at = zip_put(at, m->bytes, 4); // uncompressed
    at = zip_put(at, strlen(m->name), 2);
    return zip_put(at, 0, 2); // extra field
}

void zip_write_local(const zip_member* m, FILE* to)
{
    unsigned char local[ZIP_LOCAL];
    zip_put(local, 0x04034b50, 4);
    put_common(local + 4, m);
    fwrite(local, 1, sizeof local, to);
    fputs(m->name, to);
}

static void write_entry(const zip_member* m, FILE* to)
{
    unsigned char entry[ZIP_ENTRY] = {0};
    unsigned char* at = zip_put(entry, 0x02014b50, 4);
    at = zip_put(at, ZIP_VERSION, 2);
    put_common(at, m);
    zip_put(entry + ZIP_ENTRY - 4, m->offset, 4);
    fwrite(entry, 1, sizeof entry, to);
    fputs(m->name, to);
}

void zip_write_directory(const zip_member* members, size_t count, uint64_t offset, FILE* to)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        write_entry(&members[i], to);
        bytes += ZIP_ENTRY + strlen(members[i].name);
    }
    unsigned char end[22] = {0};
    zip_put(end, 0x06054b50, 4);
    zip_put(end + 8, count, 2);
    zip_put(end + 10, count, 2);
    zip_put(end + 12, bytes, 4);
    zip_put(end + 16, offset, 4);
    fwrite(end, 1, sizeof end, to);
}

unsigned char* npy_header(const char* type, const char* shape, size_t* size)
{
    enum { PREFIX = 10, STEP = 64 };
    const char* text =
        memory_format("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    const size_t length = strlen(text);
    *size = NPY_LEAST_HEADER;
    while (*size < PREFIX + length + 1) {
        *size += STEP;
    }
    unsigned char* header = memory_allocate(*size, 1);
    memset(header, ' ', *size);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    zip_put(header + 8, *size - PREFIX, 2);
    memcpy(header + PREFIX, text, length);
    header[*size - 1] = '\n';
    return header;
}
