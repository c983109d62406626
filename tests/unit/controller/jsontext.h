/*
 * jsontext: the tree of a JSON text that a test contains.
 */
#ifndef TESTS_UNIT_CONTROLLER_JSONTEXT_H
#define TESTS_UNIT_CONTROLLER_JSONTEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

/* The test fails if the text is not JSON. The caller puts the tree. */
static inline struct json_object *jsontext_parse(const char *text)
{
    struct json_object *tree = NULL;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &tree, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return tree;
}

#endif
