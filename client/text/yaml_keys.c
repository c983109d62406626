#include "client/text/yaml_keys.h"

#include <string.h>

enum { LONGEST = 24, MOST = 8 };

/* By length, those first that come most often. In definitions, nine of ten keys that are no names of fields
 * are among them. */
static const char *const keys[LONGEST + 1][MOST] = {
    [4] = {"type", "enum", "name", "kind", "spec", "rule"},
    [5] = {"items", "anyOf"},
    [6] = {"format", "status", "reason", "schema"},
    [7] = {"default", "pattern", "message", "maximum", "minimum"},
    [8] = {"required", "jsonPath", "metadata", "maxItems", "minItems", "nullable"},
    [9] = {"namespace", "maxLength", "minLength"},
    [10] = {"properties", "apiVersion", "expression"},
    [11] = {"description", "matchLabels"},
    [20] = {"additionalProperties"},
    [21] = {"x-kubernetes-map-type"},
    [22] = {"x-kubernetes-list-type"},
    [24] = {"x-kubernetes-validations"},
};

const char *yaml_keys_find(const char *text, size_t len)
{
    if (len > LONGEST)
        return NULL;
    for (const char *const *key = keys[len]; *key != NULL; key++) {
        if (**key == *text && memcmp(*key, text, len) == 0)
            return *key;
    }
    return NULL;
}
