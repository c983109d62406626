/*
 * configuration: what an API server answers when it reads the files of
 * --authentication-config and --authorization-config, in its own words. Pure.
 *
 * (k8s.io/apiserver/pkg/apis/apiserver/validation) What the file does not
 * decide is not looked at: certificates, files of the server's machine, the
 * issuer of service accounts. Durations are not looked at either.
 *
 *     struct fielderrors refusals = {.minor = minor};
 *     configuration_check_authentication(json, stored_env, &refusals);
 *     fielderrors_deinit(&refusals);
 */
#ifndef CONTROLLER_ADMISSION_CONFIGURATION_H
#define CONTROLLER_ADMISSION_CONFIGURATION_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/field/fielderrors.h"
#include "typecheck/config_check.h"

#define CONFIGURATION_GROUP "apiserver.config.k8s.io/"

typedef void configuration_find(struct json_object *file, const struct env *env, struct fielderrors *out);

/* env: that of stored expressions. out->minor says whose words. */
void configuration_check_authentication(struct json_object *file, const struct env *env,
                                        struct fielderrors *out);
/* configuration_authorization.c. The fields of a webhook are called without "webhook", as the server does. */
void configuration_check_authorization(struct json_object *file, const struct env *env,
                                       struct fielderrors *out);

/* Where a field that an error names is in the file. The caller frees it. */
char *configuration_field(struct json_object *file, const char *field);
/* Which place a field is, as errors name it or as the file has it; false: no expression stands there. */
bool configuration_place(const char *field, enum config_place *place);

/* ---- for both kinds ---- */

/* False: the server reads nothing else of the file. since: the minor versions that first had v1beta1 and v1.
 */
bool configuration_fits(struct json_object *file, const char *kind, const int since[2],
                        struct fielderrors *out);
/* Adds what the server says of an expression to the field; *checked is what is known of it. */
void configuration_compile(struct config_check *check, enum config_place place, struct str text,
                           const char *field, struct fielderrors *out, struct config_checked *checked);

#endif
