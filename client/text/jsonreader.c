#include "client/text/jsonreader.h"

#include "client/text/jsonval.h"

void jsonreader_init(struct jsonreader *reader, const char *bytes, size_t len)
{
    *reader = (struct jsonreader){.bytes = bytes, .len = len};
    if (bytes == NULL)
        return;
    reader->tokener = json_tokener_new_ex(JSONVAL_DEPTH);
    if (reader->tokener != NULL)
        json_tokener_set_flags(reader->tokener, JSON_TOKENER_STRICT);
}

static void drop_tokener(struct jsonreader *reader)
{
    if (reader->tokener != NULL)
        json_tokener_free(reader->tokener);
    reader->tokener = NULL;
}

bool jsonreader_step(struct jsonreader *reader, size_t bytes)
{
    const size_t left = reader->len - reader->at, slice = bytes < left ? bytes : left;
    if (reader->tokener == NULL)
        return false;
    reader->value = json_tokener_parse_ex(reader->tokener, reader->bytes + reader->at, (int)slice);
    reader->at += json_tokener_get_parse_end(reader->tokener);
    if (json_tokener_get_error(reader->tokener) == json_tokener_continue && slice < left)
        return true;
    drop_tokener(reader);
    return false;
}

/* A text that is no object to its last byte is parsed once more: it is wrong, or short. */
int jsonreader_end(struct jsonreader *reader, struct json_object **out, struct err *err)
{
    struct json_object *value = reader->value;
    drop_tokener(reader);
    reader->value = NULL;
    if (out == NULL) {
        json_object_put(value);
        return 0;
    }
    *out = NULL;
    if (reader->bytes != NULL && (value == NULL || reader->at < reader->len)) {
        json_object_put(value);
        return jsonval_parse(reader->bytes, reader->len, out, err);
    }
    *out = value;
    return 0;
}
