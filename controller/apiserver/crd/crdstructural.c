#include "controller/apiserver/crd/crdstructural.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "typecheck/schema.h"
#include "typecheck/version.h"

/* More than a file may have: no text is cut. */
enum { TEXT_CAP_BYTES = 512 * 1024 * 1024 };

struct schema_definition crdstructural_in(int minor)
{
    const struct kubernetes server = kubernetes_in(minor);
    return (struct schema_definition){.is_resource = true,
                                      .bounds_names = server.bounds_names,
                                      .ignores_int_or_string_length = !server.counts_int_or_string};
}

char *crdstructural_text(struct json_object *schema)
{
    struct buf text;
    buf_init(&text, TEXT_CAP_BYTES);
    jsontree_write(&text, schema);
    return buf_take(&text, NULL);
}

struct schema *crdstructural_read(struct json_object *schema, const struct schema_definition *definition)
{
    cleanup_mem char *text = crdstructural_text(schema);
    return schema_new_definition(text, strlen(text), definition);
}
