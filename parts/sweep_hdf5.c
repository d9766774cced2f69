/*
 * Results of a sweep in HDF5, if the build has it.
 */
#include "sweep_results.h"

#if BRISTLE_HDF5
#include <hdf5.h>
#include <string.h>

#include "memory.h"
#include "message.h"

enum { AT_ONCE = 4096 }; // cases

bool sweep_hdf5_is_known(void)
{
    return true;
}

static hid_t check(const output* to, hid_t result)
{
    if (result < 0) {
        message_fail(EXIT_COMPUTATION, "%s: cannot be written (HDF5)", to->name);
    }
    return result;
}

static hid_t text_type(const output* to, size_t bytes)
{
    const hid_t type = check(to, H5Tcopy(H5T_C_S1));
    check(to, H5Tset_size(type, bytes > 0 ? bytes : 1));
    check(to, H5Tset_cset(type, H5T_CSET_UTF8));
    check(to, H5Tset_strpad(type, H5T_STR_NULLPAD));
    return type;
}

// A data set without the time of its creation: the same results give the same bytes.
static hid_t create_set(const output* to, hid_t file, const char* name, hid_t type, hid_t space)
{
    const hid_t how = check(to, H5Pcreate(H5P_DATASET_CREATE));
    check(to, H5Pset_obj_track_times(how, false));
    const hid_t set = check(to, H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    check(to, H5Pclose(how));
    return set;
}

static void write_attribute(const output* to, hid_t of, const char* name, const char* text)
{
    const hid_t type = text_type(to, strlen(text)), space = check(to, H5Screate(H5S_SCALAR));
    const hid_t made = check(to, H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    check(to, H5Awrite(made, type, text));
    check(to, H5Aclose(made));
    check(to, H5Sclose(space));
    check(to, H5Tclose(type));
}

// A text of any length: attributes are limited to 64 KiB.
static void write_text(const output* to, hid_t file, const char* name, const char* text)
{
    const hid_t type = text_type(to, strlen(text)), space = check(to, H5Screate(H5S_SCALAR));
    const hid_t made = create_set(to, file, name, type, space);
    check(to, H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text));
    check(to, H5Dclose(made));
    check(to, H5Sclose(space));
    check(to, H5Tclose(type));
}

static hid_t grid_space(const output* to, const sweep_metadata* s)
{
    hsize_t shape[H5S_MAX_RANK];
    for (size_t i = 0; i < s->axis_count; i++) {
        shape[i] = s->shape[i];
    }
    return check(to, H5Screate_simple((int)s->axis_count, shape, NULL));
}

// Fills a buffer with `count` values of the cases from `first` on.
typedef void filler(const sweep_results* r, size_t column, size_t first, size_t count, size_t bytes,
                    char* to);

static void fill_numbers(const sweep_results* r, size_t column, size_t first, size_t count,
                         size_t bytes, char* to)
{
    for (size_t i = 0; i < count; i++) {
        const double x = sweep_results_number(r, first + i, column);
        memcpy(to + i * bytes, &x, bytes);
    }
}

static void fill_text(const char* text, size_t bytes, char* to)
{
    const size_t length = strlen(text);
    memcpy(to, text, length < bytes ? length : bytes);
}

static void fill_words(const sweep_results* r, size_t column, size_t first, size_t count,
                       size_t bytes, char* to)
{
    for (size_t i = 0; i < count; i++) {
        const size_t word = (size_t)sweep_results_number(r, first + i, column);
        fill_text(r->metadata->columns[column].words[word], bytes, to + i * bytes);
    }
}

static void fill_status(const sweep_results* r, size_t column, size_t first, size_t count,
                        size_t bytes, char* to)
{
    (void)column;
    for (size_t i = 0; i < count; i++) {
        const char* failure = sweep_results_read(r, first + i).failure;
        fill_text(failure ? failure : "ok", bytes, to + i * bytes);
    }
}

// Select `count` consecutive cases of the grid from `first` on, in memory order.
static void select_cases(const output* to, const sweep_metadata* s, hid_t space, size_t first,
                         size_t count, hsize_t* places)
{
    for (size_t i = 0; i < count; i++) {
        size_t index = first + i;
        for (size_t axis = s->axis_count; axis-- > 0; index /= s->shape[axis]) {
            places[i * s->axis_count + axis] = index % s->shape[axis];
        }
    }
    check(to, H5Sselect_elements(space, H5S_SELECT_SET, count, places));
}

static hid_t write_array(const sweep_results* r, const output* to, hid_t file, const char* name,
                         hid_t type, size_t column, filler* fill)
{
    const sweep_metadata* s = r->metadata;
    const size_t bytes = H5Tget_size(type);
    const hid_t space = grid_space(to, s);
    const hid_t set = create_set(to, file, name, type, space);
    char* values = memory_allocate(AT_ONCE, bytes);
    hsize_t* places = memory_allocate(AT_ONCE * s->axis_count, sizeof *places);
    for (size_t first = 0; first < s->case_count; first += AT_ONCE) {
        const size_t left = s->case_count - first, count = left < AT_ONCE ? left : AT_ONCE;
        const hsize_t length = count;
        const hid_t memory = check(to, H5Screate_simple(1, &length, NULL));
        memset(values, 0, AT_ONCE * bytes);
        fill(r, column, first, count, bytes, values);
        select_cases(to, s, space, first, count, places);
        check(to, H5Dwrite(set, type, memory, space, H5P_DEFAULT, values));
        check(to, H5Sclose(memory));
    }
    memory_release(values);
    memory_release(places);
    check(to, H5Sclose(space));
    return set;
}

static void write_column(const sweep_results* r, const output* to, hid_t file, size_t column)
{
    const br_sweep_column* c = &r->metadata->columns[column];
    size_t longest = 1;
    for (size_t i = 0; c->words && c->words[i]; i++) {
        longest = strlen(c->words[i]) > longest ? strlen(c->words[i]) : longest;
    }
    const hid_t type = c->words ? text_type(to, longest) : check(to, H5Tcopy(H5T_NATIVE_DOUBLE));
    const hid_t set =
        write_array(r, to, file, c->name, type, column, c->words ? fill_words : fill_numbers);
    write_attribute(to, set, "unit", c->unit);
    check(to, H5Dclose(set));
    check(to, H5Tclose(type));
}

void sweep_results_write_hdf5(const sweep_results* r, const output* to)
{
    const sweep_metadata* s = r->metadata;
    H5dont_atexit(); // after an error, such as a full disk, HDF5 may crash when it closes its files at exit
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // errors are reported by this file, not by HDF5
    const char* path = *to->temporary ? to->temporary : to->name;
    const hid_t file = check(to, H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    for (size_t i = 0; i < s->input_count + s->output_count; i++) {
        write_column(r, to, file, i);
    }
    const size_t longest = sweep_results_sum(r).longest_failure, min = strlen("ok");
    const hid_t type = text_type(to, longest > min ? longest : min);
    check(to, H5Dclose(write_array(r, to, file, "status", type, 0, fill_status)));
    check(to, H5Tclose(type));
    write_text(to, file, "scenario", s->scenario);
    write_text(to, file, "sweep", memory_format("%s%s", s->plan, s->set));
    write_text(to, file, "version", s->version);
    check(to, H5Fclose(file));
    check(to, H5close());
}
#else
bool sweep_hdf5_is_known(void)
{
    return false;
}

void sweep_results_write_hdf5(const sweep_results* r, const output* to)
{
    (void)r;
    (void)to;
}
#endif
