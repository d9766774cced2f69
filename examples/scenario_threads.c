// One scenario, four threads, four friction coefficients: a sliding and spinning box comes to rest.
#include <bristle/scenario.h>
#include <pthread.h>
#include <stdio.h>

static const char text[] = "body: {mass: 0.5, size: [0.12, 0.08], velocity: [0.6, 0, 5]}\n"
                           "friction: {mu: 0.3}\n"
                           "contact: {frame: body, patch: {shape: rectangle, size: [0.12, 0.08]}}\n"
                           "duration: 0.5\n"
                           "output: {every: 0.1}\n";

static const char* const frictions[] = {"friction.mu=0.2", "friction.mu=0.3", "friction.mu=0.4",
                                        "friction.mu=0.5"};

static void* slide(void* friction)
{
    br_scenario* scenario;
    br_table* table = NULL;
    const char* const overrides[] = {friction, NULL};
    if (br_scenario_read_text(text, "box", overrides, &scenario) == BR_OK) {
        br_scenario_run(scenario, NULL, &table, NULL);
    }
    br_scenario_destroy(scenario); // the tables do not need it
    return table;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, slide, (void*)frictions[i]);
    }
    for (int i = 0; i < 4; i++) {
        void* table;
        pthread_join(threads[i], &table);
        size_t width, x = br_table_find_column(table, "x");
        br_table_get_columns(table, &width);
        printf("%s:", frictions[i]);
        for (size_t row = 0; row < br_table_get_row_count(table); row++) {
            printf(" %.4f m", br_table_get_rows(table)[row * width + x]);
        }
        printf("\n");
        br_table_destroy(table);
    }
}
