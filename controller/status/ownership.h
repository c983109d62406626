/*
 * ownership: which fields of an object a manager owns, as server-side apply
 * records it (metadata.managedFields[].fieldsV1). Pure.
 *
 * A path is the keys of fieldsV1 joined by slashes, from the top:
 * f:status/f:conditions/k:{"type":"Bound"}/f:reason; the item itself is its
 * path and "/.". Paths are sorted by bytes, each once, so two sets compare as lists.
 *
 *     struct ownership mine;
 *     ownership_read(&mine, object, "vapcheck-controller", "status");
 *     if (!ownership_equal(&mine, &wanted)) ...
 *     ownership_deinit(&mine);
 */
#ifndef CONTROLLER_STATUS_OWNERSHIP_H
#define CONTROLLER_STATUS_OWNERSHIP_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct ownership {
    char **paths; /* sorted after ownership_read and ownership_sort */
    size_t count;
};

/* Reads the fields that `manager` owns by Apply under f:SUBRESOURCE. An object without managedFields gives
 * an empty set. */
void ownership_read(struct ownership *out, struct json_object *object, const char *manager,
                    const char *subresource);
void ownership_deinit(struct ownership *set);

/* Adds a path to the set that one wants to own; all zero is an empty set. */
void ownership_add(struct ownership *set, const char *path);
void ownership_sort(struct ownership *set);

bool ownership_has(const struct ownership *set, const char *path);
bool ownership_equal(const struct ownership *a, const struct ownership *b);

/* Says how others hold a path, from weak to strong: holds are compared. */
enum ownership_hold { OWNERSHIP_FREE, OWNERSHIP_UPDATED, OWNERSHIP_APPLIED };

/* The strongest hold that managers other than `manager` have on the path; *holder (may be NULL)
 * is the name of that manager, borrowed from the object. */
enum ownership_hold ownership_others(struct json_object *object, const char *manager, const char *path,
                                     const char **holder);

#endif
