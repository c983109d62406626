#include "controller/apiserver/validation/ownerrefs.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Returns true if the text has a version, as Go reads it: schema.ParseGroupVersion. */
static bool has_version(const char *api_version)
{
    cleanup_groupversion struct groupversion named = groupversion_split(api_version);
    return *named.version != '\0' && !named.is_malformed;
}

static const char *const owner_fields[] = {"kind", "name", "uid"};

static void check_fields_before_1_37(struct json_object *owner, struct fielderrors *errors)
{
    const char *version = jsonval_string_or_empty(owner, "apiVersion");
    bool is_old = !fielderrors_server(errors).shows_json;
    if (!has_version(version))
        fielderrors_add(errors, fielderrors_invalid(version, "version must not be empty"),
                        "metadata.ownerReferences.apiVersion");
    for (size_t i = 0; i < sizeof owner_fields / sizeof *owner_fields; i++) {
        const char *name = owner_fields[i];
        cleanup_mem char *detail = mem_printf("%s%smust not be empty", is_old ? name : "", is_old ? " " : "");
        if (*jsonval_string_or_empty(owner, name) == '\0')
            fielderrors_add(errors, fielderrors_invalid("", detail), "metadata.ownerReferences.%s", name);
    }
}

static void require(struct json_object *owner, size_t index, const char *name, const char *detail,
                    struct fielderrors *errors)
{
    if (*jsonval_string_or_empty(owner, name) == '\0')
        fielderrors_add(errors, fielderrors_required(detail), "metadata.ownerReferences[%zu].%s", index,
                        name);
}

static void check_fields(struct json_object *owner, size_t index, struct fielderrors *errors)
{
    static const char empty[] = "must not be empty";
    const char *version = jsonval_string_or_empty(owner, "apiVersion");
    bool is_declared = fielderrors_server(errors).declares_metadata;
    if (*version != '\0' && !has_version(version))
        fielderrors_add(errors, fielderrors_invalid(version, "must be <group>/<version> or <version>"),
                        "metadata.ownerReferences[%zu].apiVersion", index);
    else if (!is_declared)
        require(owner, index, "apiVersion", empty, errors);
    for (size_t i = 0; !is_declared && i < sizeof owner_fields / sizeof *owner_fields; i++)
        require(owner, index, owner_fields[i], empty, errors);
}

static void check_declared_fields(struct json_object *owner, size_t index, struct fielderrors *errors)
{
    require(owner, index, "apiVersion", "", errors);
    for (size_t i = 0; i < sizeof owner_fields / sizeof *owner_fields; i++)
        require(owner, index, owner_fields[i], "", errors);
}

/* ---- as decoded ---- */

/* Members in the order of the server's type; those that are never left out are there. */
static struct json_object *decode(struct json_object *owner)
{
    static const char *const texts[] = {"apiVersion", "kind", "name", "uid"};
    static const char *const flags[] = {"controller", "blockOwnerDeletion"};
    struct json_object *decoded = json_object_new_object();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        jsonval_set(decoded, texts[i], json_object_new_string(jsonval_string_or_empty(owner, texts[i])));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (jsonval_get(owner, flags[i]) != NULL)
            jsonval_set(decoded, flags[i], json_object_get(jsonval_get(owner, flags[i])));
    }
    return decoded;
}

/* Two that are equal have the same text. */
static struct json_object *decode_all(struct json_object *references, bool keeps_repeats)
{
    struct json_object *list = json_object_new_array();
    struct keymap seen = {0};
    for (size_t i = 0; i < jsonval_length(references); i++) {
        struct json_object *owner = decode(jsonval_at(references, i));
        if (keymap_add(&seen, json_object_to_json_string(owner)) || keeps_repeats)
            jsonval_append(list, owner);
        else
            json_object_put(owner);
    }
    keymap_deinit(&seen, NULL);
    return list;
}

struct json_object *ownerrefs_without_repeats(struct json_object *references)
{
    return decode_all(references, false);
}

bool ownerrefs_is(struct json_object *decoded, struct json_object *given)
{
    cleanup_json struct json_object *owner = decode(given);
    return decoded != NULL && json_object_equal(decoded, owner);
}

/* ---- the list ---- */

/* An Event may own nothing. */
static void check_kind(struct json_object *owner, const char *at, struct fielderrors *errors)
{
    const char *version = jsonval_string_or_empty(owner, "apiVersion");
    bool is_core = strcmp(version, "v1") == 0 || strcmp(version, "/v1") == 0;
    if (is_core && strcmp(jsonval_string_or_empty(owner, "kind"), "Event") == 0)
        fielderrors_add(errors,
                        fielderrors_invalid_json(errors, owner, "v1.OwnerReference",
                                                 "/v1, Kind=Event is disallowed from being an owner"),
                        "%s", at);
}

/* first: the controller before it; NULL: there is none. */
static void check_controller(struct json_object *list, struct json_object *owner, struct json_object *first,
                             struct fielderrors *errors)
{
    if (first == NULL)
        return;
    cleanup_mem char *detail = mem_printf(
        "Only one reference can have Controller set to true. Found \"true\" in references for %s/%s "
        "and %s/%s",
        jsonval_string_or_empty(first, "kind"), jsonval_string_or_empty(first, "name"),
        jsonval_string_or_empty(owner, "kind"), jsonval_string_or_empty(owner, "name"));
    fielderrors_add(errors, fielderrors_invalid_json(errors, list, "v1.OwnerReference", detail),
                    "metadata.ownerReferences");
}

static void check_list(struct json_object *list, struct fielderrors *errors)
{
    bool is_old = !fielderrors_server(errors).has_brief_requirements;
    struct json_object *controller = NULL;
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *owner = jsonval_at(list, i);
        cleanup_mem char *at =
            is_old ? mem_strdup("metadata.ownerReferences") : mem_printf("metadata.ownerReferences[%zu]", i);
        if (is_old)
            check_fields_before_1_37(owner, errors);
        else
            check_fields(owner, i, errors);
        check_kind(owner, at, errors);
        if (!jsonval_is_true(owner, "controller"))
            continue;
        check_controller(list, owner, controller, errors);
        controller = controller == NULL ? owner : controller;
    }
}

void ownerrefs_check_declared(struct json_object *references, bool is_from_file, struct fielderrors *errors)
{
    if (!fielderrors_server(errors).declares_metadata)
        return;
    cleanup_json struct json_object *list = decode_all(references, is_from_file);
    for (size_t i = 0; i < jsonval_length(list); i++)
        check_declared_fields(jsonval_at(list, i), i, errors);
}

void ownerrefs_check(struct json_object *references, bool is_from_file, struct fielderrors *errors)
{
    cleanup_json struct json_object *list = decode_all(references, is_from_file);
    check_list(list, errors);
}
