/*
 * staticdirs: the static manifests of all files, by directory. The API server reads a directory as a whole:
 * if one object is wrong, it uses none of them.
 *
 *     struct staticdirs d = {0};
 *     staticdirs_add(&d, file, json, is_whole);          in the first pass
 *     staticdirs_check(&d, file, json, &refusals);       in the second, once for each object
 *     staticdirs_deinit(&d);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_STATICDIRS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_STATICDIRS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"

/* Each NULL while it is empty. The key of an object is "directory\nkind/name". */
struct staticdirs {
    struct json_object *all;   /* the keys of the first pass */
    struct json_object *seen;  /* file by key, of the second pass so far */
    struct json_object *whole; /* directories of which every file is among the inputs */
};

/* is_whole: the file was found in a directory that was asked for. */
void staticdirs_add(struct staticdirs *d, const char *file, struct json_object *object, bool is_whole);
/* Reports a name that occurs twice in the directory, and a binding whose policy is not in the directory (only
 * if every file of the directory is among the inputs). */
void staticdirs_check(struct staticdirs *d, const char *file, struct json_object *object,
                      struct fielderrors *errors);
void staticdirs_deinit(struct staticdirs *d);

#endif
