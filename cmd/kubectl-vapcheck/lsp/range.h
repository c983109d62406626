/*
 * range: places in a document's text, as the protocol has them.
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_RANGE_H
#define CMD_KUBECTL_VAPCHECK_LSP_RANGE_H

#include <json-c/json.h>

#include "client/text/textlines.h"
#include "client/text/yaml.h"

/* The byte of the text at a place of its YAML. */
size_t range_offset(const struct textlines *text, struct yaml_place place);

/* The Range of these bytes. The caller puts it. */
struct json_object *range_json(const struct textlines *text, size_t from, size_t to,
                               enum textlines_unit unit);

#endif
