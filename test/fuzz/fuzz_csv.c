/* The readers of CSV: wanted columns, all columns with their words, grids without a header. The first byte chooses. */
#include "fuzz.h"

#include "bristle/csv.h"
#include "scenario/source.h"

static void read_wanted(const char* path)
{
    static const char* const wanted[] = {"t", "x", "y", "fn", NULL};
    br_csv* file = NULL;
    const br_status status = br_csv_read(path, wanted, 2, &file);
    for (size_t i = 0; status == BR_OK && i < br_csv_get_row_count(file); i++) {
        look_at(br_csv_get_column(file, 0)[i]);
    }
    for (size_t i = 0; file && i < br_csv_get_error_count(file); i++) {
        look_at((double)br_csv_get_error(file, i)->line);
    }
    br_csv_destroy(file);
}

// A call of an internal reader.
typedef struct call {
    parse_context in;
    const char* path;
    bool is_grid;
} call;

static void read_all(void* with)
{
    call* c = with;
    if (c->is_grid) {
        bri_csv_read_grid(&c->in, c->path);
    } else {
        bri_csv_read_columns(&c->in, c->path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char* path = file_with(data + 1, size - 1);
    if (data[0] % 3 == 0) {
        read_wanted(path);
        return 0;
    }
    call c = {.in = {.memory = {.first = NULL}}, .path = path, .is_grid = data[0] % 3 == 1};
    bri_parse_context_run(&c.in, read_all, &c);
    bri_pool_clear(&c.in.memory);
    return 0;
}
