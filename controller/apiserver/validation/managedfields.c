#include "controller/apiserver/validation/managedfields.h"

#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/text.h"

enum { MANAGER_MAX_BYTES = 128, SUBRESOURCE_MAX_BYTES = 256 };

static char *too_long(int most)
{
    return mem_printf("Too long: may not be more than %d bytes", most);
}

static void check_operation(struct json_object *entry, const char *at, const char *detail,
                            struct fielderrors *errors)
{
    static const char *const operations[] = {"Apply", "Update", NULL};
    const char *operation = jsonval_string_or_empty(entry, "operation");
    if (*operation == '\0')
        fielderrors_add(errors, fielderrors_required(detail), "%s.operation", at);
    else
        fielderrors_check_choice(errors, operation, operations, "%s.operation", at);
}

static void check_manager(struct json_object *entry, const char *at, struct fielderrors *errors)
{
    const char *manager = jsonval_string_or_empty(entry, "manager");
    size_t len = strlen(manager);
    if (len > MANAGER_MAX_BYTES)
        fielderrors_add(errors, too_long(MANAGER_MAX_BYTES), "%s.manager", at);
    for (size_t i = 0, n; i < len; i += n) {
        uint32_t code;
        n = utf8_next(manager + i, len - i, &code);
        if (unicode_is_printable((int32_t)code))
            continue;
        cleanup_mem char *detail = mem_printf("invalid character U+%04X (at position %zu)", code, i);
        fielderrors_add(errors, fielderrors_invalid(manager, detail), "%s.manager", at);
    }
}

static void check_entry(struct json_object *entry, const char *at, struct fielderrors *errors)
{
    const char *type = jsonval_string_or_empty(entry, "fieldsType");
    if (!fielderrors_server(errors).declares_metadata)
        check_operation(entry, at, "must not be empty", errors);
    if (*type != '\0' && strcmp(type, "FieldsV1") != 0)
        fielderrors_add(errors, fielderrors_invalid(type, "must be `FieldsV1`"), "%s.fieldsType", at);
    check_manager(entry, at, errors);
    if (strlen(jsonval_string_or_empty(entry, "subresource")) > SUBRESOURCE_MAX_BYTES)
        fielderrors_add(errors, too_long(SUBRESOURCE_MAX_BYTES), "%s.subresource", at);
}

void managedfields_check(struct json_object *entries, struct fielderrors *errors)
{
    for (size_t i = 0; i < jsonval_length(entries); i++) {
        cleanup_mem char *at = mem_printf("metadata.managedFields[%zu]", i);
        check_entry(jsonval_at(entries, i), at, errors);
    }
}

void managedfields_check_declared(struct json_object *entries, struct fielderrors *errors)
{
    if (!fielderrors_server(errors).declares_metadata)
        return;
    for (size_t i = 0; i < jsonval_length(entries); i++) {
        cleanup_mem char *at = mem_printf("metadata.managedFields[%zu]", i);
        check_operation(jsonval_at(entries, i), at, "", errors);
    }
}
