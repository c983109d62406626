/*
 * sarif: the parts of SARIF 2.1.0 that the reports of check, audit and test share. The caller owns the
 * objects that the functions return.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_SARIF_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_SARIF_H

#include <json-c/json.h>

#include "client/text/yaml.h"

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

void sarif_put(struct json_object *object, const char *key, const char *value);
/* {"text": ...}, as SARIF has messages. */
void sarif_put_message(struct json_object *object, const char *key, const char *text);
/* Puts the fingerprint by which the result is known again. */
void sarif_put_fingerprint(struct json_object *result, const char *name, const char *fingerprint);

/* {"uri": ...} */
struct json_object *sarif_artifact(const char *file);
/* end: the place after it; before `where` if that is not known. */
struct json_object *sarif_region(struct yaml_place where, struct yaml_place end);
/* [{"physicalLocation": ...}]. line 0: the whole file; end: the place after it, or the same place if that is
 * not known; logical NULL: none. */
struct json_object *sarif_locations(const char *file, struct yaml_place where, struct yaml_place end,
                                    const char *logical);

struct json_object *sarif_rule(const char *id, const char *summary);
/* The tool of audit and of test, with its rules. */
struct json_object *sarif_tool(struct json_object *take_rules);
/* The whole document, of one run. */
struct json_object *sarif_document(struct json_object *take_run);

#endif
