/*
 * `output` of a scenario: which columns it has besides.
 */
#include "scenario/read_output.h"

#include "scenario/value.h"

bool bri_read_output_flag(const node* root, const char* key)
{
    const node* flag = bri_node_find(bri_node_find(root, "output"), key);
    return flag && bri_value_flag(flag);
}
