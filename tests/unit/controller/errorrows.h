/*
 * errorrows: a table of objects and of what is said against them, one "field: message" a line.
 *
 *     static const struct errorrow rows[] = {{"{}", "m.name: Required value\n"}};
 *     errorrows_check(rows, sizeof rows / sizeof *rows, check);
 */
#ifndef TESTS_UNIT_CONTROLLER_ERRORROWS_H
#define TESTS_UNIT_CONTROLLER_ERRORROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/fielderrors.h"

struct errorrow {
    const char *json, *errors;
};

static inline void errorrows_check(const struct errorrow *rows, size_t count,
                                   void (*check)(const struct errorrow *row, struct json_object *json,
                                                 struct fielderrors *found))
{
    for (size_t i = 0; i < count; i++) {
        struct json_object *json = NULL;
        struct fielderrors found = {0};
        struct err err = {0};
        struct buf text;
        buf_init(&text, 64 * 1024);
        assert_int_equal(jsonval_parse(rows[i].json, strlen(rows[i].json), &json, &err), 0);
        check(&rows[i], json, &found);
        for (size_t j = 0; j < found.count; j++)
            buf_printf(&text, "%s: %s\n", found.items[j].field, found.items[j].message);
        assert_false(text.is_full);
        assert_string_equal(text.data, rows[i].errors);
        buf_deinit(&text);
        fielderrors_deinit(&found);
        json_object_put(json);
    }
}

#endif
