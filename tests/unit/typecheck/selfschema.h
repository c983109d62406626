/*
 * selfschema: a schema with a field of each kind, for the tests of rules.
 * tests/cost/tool knows the same one in JSON, which says what costs must be.
 */
#ifndef TESTS_UNIT_TYPECHECK_SELFSCHEMA_H
#define TESTS_UNIT_TYPECHECK_SELFSCHEMA_H

#include "typecheck/schema/structural.h"

#define SELFSCHEMA_BOUND(n)                                                                                  \
    {                                                                                                        \
        true, n                                                                                              \
    }

static struct structural selfschema_string = {.type = STR_INIT("string")};
static struct structural selfschema_string4 = {.type = STR_INIT("string"), .max_length = SELFSCHEMA_BOUND(4)};
static struct structural selfschema_string6 = {.type = STR_INIT("string"), .max_length = SELFSCHEMA_BOUND(6)};
static struct structural selfschema_string8 = {.type = STR_INIT("string"), .max_length = SELFSCHEMA_BOUND(8)};
static struct structural selfschema_string10 = {.type = STR_INIT("string"),
                                                .max_length = SELFSCHEMA_BOUND(10)};
static struct structural selfschema_enum = {
    .type = STR_INIT("string"), .has_enum = true, .longest_enum_bytes = 3};
static struct structural selfschema_int = {.type = STR_INIT("integer")};
static struct structural selfschema_byte = {
    .type = STR_INIT("string"), .format = STR_INIT("byte"), .max_length = SELFSCHEMA_BOUND(20)};
static struct structural selfschema_duration = {.type = STR_INIT("string"), .format = STR_INIT("duration")};
static struct structural selfschema_date_time = {.type = STR_INIT("string"), .format = STR_INIT("date-time")};
static struct structural selfschema_int_or_string = {.is_int_or_string = true};
static struct structural selfschema_list = {
    .type = STR_INIT("array"), .max_items = SELFSCHEMA_BOUND(5), .items = &selfschema_string4};
static struct structural selfschema_long_list = {.type = STR_INIT("array"), .items = &selfschema_string};
static struct structural selfschema_map = {
    .type = STR_INIT("object"), .max_properties = SELFSCHEMA_BOUND(3), .additional = &selfschema_string4};

static struct structural_property selfschema_item_properties[] = {
    {STR_INIT("s"), true, &selfschema_string8},
};
static struct structural selfschema_item = {
    .type = STR_INIT("object"), .properties = selfschema_item_properties, .property_count = 1};
static struct structural selfschema_items = {.type = STR_INIT("array"), .items = &selfschema_item};

static struct structural selfschema_anything = {.type = STR_INIT("")};

static struct structural_property selfschema_properties[] = {
    {STR_INIT("s"), false, &selfschema_string10},
    {STR_INIT("t"), false, &selfschema_string},
    {STR_INIT("e"), false, &selfschema_enum},
    {STR_INIT("n"), true, &selfschema_int},
    {STR_INIT("y"), false, &selfschema_byte},
    {STR_INIT("u"), false, &selfschema_duration},
    {STR_INIT("w"), false, &selfschema_date_time},
    {STR_INIT("i"), false, &selfschema_int_or_string},
    {STR_INIT("l"), false, &selfschema_list},
    {STR_INIT("k"), false, &selfschema_long_list},
    {STR_INIT("m"), false, &selfschema_map},
    {STR_INIT("a"), false, &selfschema_items},
    {STR_INIT("namespace"), false, &selfschema_string6},
    {STR_INIT("no type"), false, &selfschema_string}, /* no CEL name */
    {STR_INIT("anything"), true, &selfschema_anything},
};

static struct structural selfschema_root = {
    .type = STR_INIT("object"),
    .is_resource = true,
    .properties = selfschema_properties,
    .property_count = sizeof selfschema_properties / sizeof *selfschema_properties,
};

/* Before the arena of its types goes. */
static void selfschema_forget(struct structural *node)
{
    if (node == NULL)
        return;
    node->is_derived = false;
    node->self = NULL;
    selfschema_forget(node->items);
    selfschema_forget(node->additional);
    for (size_t i = 0; i < node->property_count; i++)
        selfschema_forget(node->properties[i].node);
}

#endif
