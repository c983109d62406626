#include "controller/apiserver/crd/crdstructural.h"

#include "client/text/jsonval.h"

#include "typecheck/schema/document.h"

struct schema *crdstructural_read(struct json_object *schema, const struct schema_definition *definition)
{
    /* json-c keeps the text as long as the value that was asked for it: not the definition, but a list with
     * it */
    cleanup_json struct json_object *list = json_object_new_array();
    jsonval_append(list, json_object_get(schema));
    size_t len;
    const char *text = json_object_to_json_string_length(
        list, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
    return text == NULL ? NULL : schema_new_definition(text + 1, len - 2, definition);
}
