/* Files that are no scenarios, CSV files, words and numbers that people type, help: what programs read. */
#include "check.h"

#include "bristle/csv.h"
#include "bristle/scenario.h"
#include "bristle/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file with this text; its name, to be removed.
static const char* write_file(const char* text)
{
    static char name[] = "files_XXXXXX";
    strcpy(name, "files_XXXXXX");
    const int descriptor = mkstemp(name);
    assert_true(descriptor >= 0);
    FILE* file = fdopen(descriptor, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    return name;
}

static br_status read_model(const char* text, br_model_kind kind, const char* const* sets,
                            br_scenario** out)
{
    const char* name = write_file(text);
    const br_status status = br_scenario_read_model(name, kind, sets, out);
    unlink(name);
    return status;
}

static const char disc[] = "shape: disc\nradius: 0.02\nresolution: 9\n";
static const char block[] = "M: [[2, 0], [0, 2]]\nQ: [3, -19.6]\nA: [[0, 1]]\nb: [0]\n"
                            "J: [[1, 0], [0, 1]]\nqd: [0.1, 0]\nmu: 0.3\n";
static const char body[] = "body: {mass: 0.5, size: [0.12, 0.08]}\nfriction: {mu: 0.3}\n"
                           "contact: {frame: body, patch: {shape: disc, radius: 0.02}}\n"
                           "duration: 0.1\n";

/* Oracle: the text of the file. */
static void a_patch_is_read_from_its_file(void** state)
{
    (void)state;
    static const char* const sets[] = {"radius=0.03", NULL};
    br_scenario* s = NULL;
    assert_status(read_model(disc, BR_MODEL_PATCH, sets, &s), BR_OK);
    assert_string_equal(br_scenario_get_kind(s), "contact patch");
    const br_scenario_model model = br_scenario_get_model(s);
    assert_true(br_patch_get_def(model.patch)->radius.coefficient == 0.03);
    assert_int_equal(model.resolution, 9);
    assert_null(model.body);
    assert_null(br_scenario_get_picture(s)); // a model does not run; it had one without a title
    br_scenario_destroy(s);
}

/* Oracle: the text of the file. */
static void a_constrained_system_is_read_from_its_file(void** state)
{
    (void)state;
    br_scenario* s = NULL;
    assert_status(read_model(block, BR_MODEL_ANY, NULL, &s), BR_OK);
    const br_constrained* system = br_scenario_get_model(s).constrained;
    assert_int_equal(system->n, 2);
    assert_int_equal(system->m, 1);
    assert_true(system->Q[1] == -19.6 && system->mu == 0.3);
    br_scenario_destroy(s);
}

/* Oracle: the text of the file. Its definitions are those that run. */
static void a_scenario_has_its_definitions(void** state)
{
    (void)state;
    br_scenario* s = NULL;
    assert_status(read_model(body, BR_MODEL_ANY, NULL, &s), BR_OK);
    const br_scenario_model model = br_scenario_get_model(s);
    assert_true(model.body->mass == 0.5 && model.body->contact_count == 1);
    assert_true(model.run->duration == 0.1);
    assert_ptr_equal(model.outline, model.body->outline);
    assert_false(model.sweeps);
    assert_int_equal(br_scenario_get_picture(s)->kind, BR_PICTURE_TIME);
    assert_non_null(strstr(br_scenario_get_picture(s)->title, ": body, blocks"));
    br_scenario_destroy(s);
}

/* Oracle: the command of each kind of file. */
static void a_file_of_another_kind_is_an_error(void** state)
{
    (void)state;
    static const struct {
        const char *text, *key, *command;
        br_model_kind wanted;
    } cases[] = {{body, "body", "see: bristle run", BR_MODEL_PATCH},
                 {disc, "shape", "see: bristle surface", BR_MODEL_CONSTRAINED},
                 {block, "M", "see: bristle constrained", BR_MODEL_PATCH}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        br_scenario* s = NULL;
        assert_status(read_model(cases[i].text, cases[i].wanted, NULL, &s), BR_ERR_DEF);
        assert_int_equal(br_scenario_get_error_count(s), 1);
        assert_string_equal(br_scenario_get_error(s, 0)->key, cases[i].key);
        assert_non_null(strstr(br_scenario_get_error(s, 0)->text, cases[i].command));
        assert_null(br_scenario_get_model(s).body);
        assert_null(br_scenario_get_picture(s));
        br_scenario_destroy(s);
    }
}

static void check_place(const br_scenario* s, const char* key, const char* wanted)
{
    char* place;
    assert_status(br_scenario_create_place(s, key, &place), BR_OK);
    assert_string_equal(place, wanted);
    br_release(place);
}

/* Oracle: the lines of the text. */
static void a_place_is_the_line_of_a_key(void** state)
{
    (void)state;
    br_scenario* s = NULL;
    assert_status(br_scenario_read_text(body, "box.yaml", NULL, &s), BR_OK);
    check_place(s, "duration", "box.yaml:4: duration: ");
    check_place(s, "contact.patch.radius", "box.yaml:3: contact.patch.radius: ");
    check_place(s, "friction.mu_s", "box.yaml:2: friction.mu_s: "); // its map has the line
    check_place(s, "", "box.yaml:1: ");
    br_scenario_destroy(s);
}

/* Oracle: statement. Text without values has no tree: the place is the file. */
static void text_without_values_has_places(void** state)
{
    (void)state;
    static const char* const texts[] = {"", "# a comment\n", "a: [", "\t"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        br_scenario* s = NULL;
        assert_status(br_scenario_read_text(texts[i], "box.yaml", NULL, &s), BR_ERR_DEF);
        check_place(s, "friction.mu", "box.yaml: friction.mu: ");
        check_place(s, "", "box.yaml: ");
        br_scenario_destroy(s);
    }
}

/* Oracle: the text of the file. */
static void columns_of_a_csv_file_are_read(void** state)
{
    (void)state;
    static const char* const wanted[] = {"t", "f", "fn", NULL};
    const char* name = write_file("# measured\nf, x, t\n1, 7, 0\n\n2.5, 8, 0.1\n");
    br_csv* file = NULL;
    assert_status(br_csv_read(name, wanted, 2, &file), BR_OK);
    assert_int_equal(br_csv_get_row_count(file), 2);
    assert_true(br_csv_get_column(file, 0)[1] == 0.1 && br_csv_get_column(file, 1)[1] == 2.5);
    assert_null(br_csv_get_column(file, 2));
    br_csv_destroy(file);
    unlink(name);
}

/* Oracle: the lines of the text. */
static void errors_of_a_csv_file_have_their_lines(void** state)
{
    (void)state;
    static const char* const wanted[] = {"t", "f", NULL};
    const char* name = write_file("t,f\n0,1\n0,two\n1,inf\n");
    br_csv* file = NULL;
    assert_status(br_csv_read(name, wanted, 2, &file), BR_ERR_DEF);
    assert_int_equal(br_csv_get_row_count(file), 0);
    assert_int_equal(br_csv_get_error_count(file), 3); // t, two, inf
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(br_csv_get_error(file, i)->line, i < 2 ? 3 : 4);
    }
    br_csv_destroy(file);
    unlink(name);
    br_csv_destroy(NULL);
}

/* Oracle: the keys of the tables. */
static void help_knows_topics(void** state)
{
    (void)state;
    char *all, *few, *text;
    assert_status(br_scenario_create_topics(true, &all), BR_OK);
    assert_status(br_scenario_create_topics(false, &few), BR_OK);
    assert_non_null(strstr(all, "\nsigma0\n"));
    assert_null(strstr(few, "\nsigma0\n"));
    assert_non_null(strstr(few, "\nfriction\n"));
    for (char* topic = strtok(all, "\n"); topic; topic = strtok(NULL, "\n")) {
        assert_status(br_scenario_create_help(topic, &text), BR_OK);
        br_release(text);
    }
    assert_status(br_scenario_create_help("frobnicate", &text), BR_ERR_ARG);
    assert_null(text);
    assert_status(br_scenario_create_help(NULL, &text), BR_OK);
    assert_non_null(strstr(text, "body: a planar rigid body"));
    br_release(text);
    br_release(all);
    br_release(few);
}

/* Oracle: the words. */
static void words_are_found_and_guessed(void** state)
{
    (void)state;
    static const char* const list[] = {"exact", "table", "published", NULL};
    assert_int_equal(br_text_find("table", list), 1);
    assert_int_equal(br_text_find("tab", list), -1);
    assert_string_equal(br_text_find_nearest("tabel", list), "table");
    assert_string_equal(br_text_find_nearest("publ", list), "published");
    assert_null(br_text_find_nearest("round", list));
}

/* Oracle: C's numbers, without its blanks, hexadecimals and infinities. */
static void numbers_are_decimal_and_finite(void** state)
{
    (void)state;
    double x = 0;
    assert_true(br_text_read_number("-1.5e-3", &x) && x == -1.5e-3);
    assert_true(br_text_read_number(".5", &x) && x == 0.5);
    static const char* const others[] = {"", " 1", "0x10", "nan", "-inf", "1e999", "1,5", "1 m"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(br_text_read_number(others[i], &x));
    }
}

// An allocator that fails at the given allocation.
typedef struct failing {
    size_t calls, fail_at, alive;
} failing;

static void* fail_once(size_t bytes, void* user)
{
    failing* f = user;
    if (++f->calls == f->fail_at) {
        return NULL;
    }
    f->alive++;
    return malloc(bytes);
}

static void count_free(void* memory, void* user)
{
    ((failing*)user)->alive--;
    free(memory);
}

static br_status read_all(const char* table)
{
    static const char* const wanted[] = {"t", "f", NULL};
    br_csv* file = NULL;
    char *help = NULL, *place = NULL;
    br_scenario* s = NULL;
    br_status status = br_csv_read(table, wanted, 2, &file);
    status = status == BR_OK ? br_scenario_create_help("motion", &help) : status;
    status = status == BR_OK ? br_scenario_read_text(body, "box", NULL, &s) : status;
    status = status == BR_OK ? br_scenario_create_place(s, "duration", &place) : status;
    br_csv_destroy(file);
    br_release(help);
    br_release(place);
    br_scenario_destroy(s);
    return status;
}

/* Oracle: a counting allocator. Whichever allocation fails, the call reports it, and all memory comes back. */
static void every_allocation_may_fail(void** state)
{
    (void)state;
    const char* name = write_file("t,f\n0,1\n1,2\n");
    failing count = {0, 0, 0};
    br_set_allocator(fail_once, count_free, &count);
    assert_status(read_all(name), BR_OK);
    const size_t calls = count.calls;
    for (size_t i = 1; i <= calls; i++) {
        count = (failing){0, i, 0};
        assert_status(read_all(name), BR_ERR_MEMORY);
        assert_int_equal(count.alive, 0);
    }
    br_set_allocator(NULL, NULL, NULL);
    unlink(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_patch_is_read_from_its_file),
        cmocka_unit_test(a_constrained_system_is_read_from_its_file),
        cmocka_unit_test(a_scenario_has_its_definitions),
        cmocka_unit_test(a_file_of_another_kind_is_an_error),
        cmocka_unit_test(a_place_is_the_line_of_a_key),
        cmocka_unit_test(text_without_values_has_places),
        cmocka_unit_test(columns_of_a_csv_file_are_read),
        cmocka_unit_test(errors_of_a_csv_file_have_their_lines),
        cmocka_unit_test(help_knows_topics),
        cmocka_unit_test(words_are_found_and_guessed),
        cmocka_unit_test(numbers_are_decimal_and_finite),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
