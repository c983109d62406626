#include "cmd/kubectl-vapcheck/output.h"

#include <string.h>

output_make *output_find(const char *format)
{
    static const struct {
        const char *name;
        output_make *make;
    } formats[] = {
        {"text", output_text},
        {"json", output_json},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, format) == 0)
            return formats[i].make;
    }
    return NULL;
}

struct yaml_place output_where(const struct output_place *place, const char *field_ref)
{
    const struct yaml_node *node = yaml_find(place->root, field_ref);
    return node == NULL ? place->root->start : node->text;
}
