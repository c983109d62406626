/*
 * configuration: the answer of an API server when it reads the files of
 * --authentication-config and --authorization-config, in its own words. Pure.
 *
 * (k8s.io/apiserver/pkg/apis/apiserver/validation) Not checked: values that the
 * file alone does not decide (certificates, files of the server's machine, the
 * issuer of service accounts), and durations.
 *
 *     struct fielderrors refusals = {.minor = minor};
 *     configuration_check_authentication(json, stored_env, &refusals);
 *     fielderrors_deinit(&refusals);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_CONFIGURATION_H
#define CONTROLLER_APISERVER_VALIDATION_CONFIGURATION_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/compile.h"

#define CONFIGURATION_GROUP "apiserver.config.k8s.io/"

typedef void configuration_find(struct json_object *file, const struct env *env, struct fielderrors *out);

/* env: the one for stored expressions. out->minor: the version whose messages are used. */
void configuration_check_authentication(struct json_object *file, const struct env *env,
                                        struct fielderrors *out);
/* This function is in configuration_authorization.c. It names fields of a webhook without "webhook", as the
 * server does. */
void configuration_check_authorization(struct json_object *file, const struct env *env,
                                       struct fielderrors *out);

/* The path in the file of a field that an error names. The caller frees it. */
char *configuration_field(struct json_object *file, const char *field);
/* The place of a field, written as in errors or as in the file. Returns false if the field is not an
 * expression. */
bool configuration_place(const char *field, enum cel_place *place);

/* ---- for both kinds ---- */

/* Returns true if kind and version fit. If it returns false, the server reads nothing else of the file.
 * has_v1: whether the server has the kind in v1, too. */
bool configuration_fits(struct json_object *file, const char *kind, bool has_v1, struct fielderrors *out);
/* Compiles an expression, and adds the server's errors to the field. Returns what is known about it; NULL:
 * nothing. */
const struct cel_place_compiled *configuration_compile(struct compiler *compiler, enum cel_place place,
                                                       struct str text, const char *field,
                                                       struct fielderrors *out);

#endif
