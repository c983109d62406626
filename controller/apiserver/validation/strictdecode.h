/*
 * strictdecode: checks whether an object fits the fields of the API server's Go types,
 * with the server's answer. Pure.
 *
 * The server decodes strictly for kubectl: a value of a wrong type is an
 * error, else every unknown field is, all in one message.
 *
 *     struct fielderror misfit;
 *     enum strictdecode_fit fit = strictdecode_fits("ValidatingAdmissionPolicy", "v1", 0, json, &misfit);
 *     if (fit != STRICTDECODE_FITS) ... misfit.message
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_STRICTDECODE_H
#define CONTROLLER_APISERVER_VALIDATION_STRICTDECODE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"

enum strictdecode_fit {
    STRICTDECODE_FITS,
    STRICTDECODE_UNKNOWN_FIELDS, /* without them it can be decoded */
    STRICTDECODE_WRONG_TYPE,
};

/* Adds the misfit, which it takes. If it is a file, the decoder does not say what it could not decode. */
void strictdecode_add(struct fielderrors *errors, struct fielderror *misfit, bool is_file);

/* Decodes an object of this kind of admission as the server does, to see if it fits. If it does not, *misfit,
 * which the caller frees, has the first field that is wrong and the server's whole message. version: "v1",
 * "v1beta1". minor: of the server, 1.minor; 0: the newest. Messages before 1.35 leave embedded types out. */
enum strictdecode_fit strictdecode_fits(const char *kind, const char *version, int minor,
                                        struct json_object *object, struct fielderror *misfit);

#endif
