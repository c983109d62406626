#include "controller/apiserver/crd/crdstructural.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"
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

static void write_read(struct buf *out, struct json_object *schema);

static void write_properties(struct buf *out, struct json_object *properties)
{
    (void)buf_putc(out, '{');
    jsonval_each(properties, name, schema)
    {
        jsontree_begin_member(out, name);
        write_read(out, schema);
    }
    (void)buf_putc(out, '}');
}

/* Appends those of the schema's members that are read; descriptions, which are most of its text, are not. */
static void write_read(struct buf *out, struct json_object *schema)
{
    if (!json_object_is_type(schema, json_type_object)) {
        jsontree_write(out, schema);
        return;
    }
    (void)buf_putc(out, '{');
    jsonval_each(schema, name, value)
    {
        if (!schema_definition_reads(str_of(name)))
            continue;
        jsontree_begin_member(out, name);
        if (strcmp(name, "properties") == 0 && json_object_is_type(value, json_type_object))
            write_properties(out, value);
        else if (strcmp(name, "items") == 0 || strcmp(name, "additionalProperties") == 0)
            write_read(out, value);
        else
            jsontree_write(out, value);
    }
    (void)buf_putc(out, '}');
}

struct schema *crdstructural_read(struct json_object *schema, const struct schema_definition *definition)
{
    cleanup_buf struct buf text;
    buf_init(&text, TEXT_CAP_BYTES);
    write_read(&text, schema);
    return schema_new_definition(text.data, text.len, definition);
}
