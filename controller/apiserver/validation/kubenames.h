/*
 * kubenames: checks the forms that names, labels and the like must have in
 * Kubernetes, with its own messages. Pure.
 *
 * (k8s.io/apimachinery/pkg/api/validate/content, pkg/util/validation)
 *
 *     kubenames_check(kubenames_subdomain, name, name, "metadata.name", errors);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_KUBENAMES_H
#define CONTROLLER_APISERVER_VALIDATION_KUBENAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/apiserver/validation/fielderrors.h"

/* The faults of one value. */
struct kubenames {
    char *messages[4];
    size_t count;
    bool is_old; /* with the messages of before 1.35 */
};

#define cleanup_kubenames __attribute__((cleanup(kubenames_deinit)))

/* Checks one form; adds a message for each fault. */
typedef void kubenames_form(const char *value, struct kubenames *problems);
void kubenames_subdomain(const char *value, struct kubenames *problems);      /* DNS, RFC 1123 */
void kubenames_label_1035(const char *value, struct kubenames *problems);     /* DNS, RFC 1035 */
void kubenames_qualified_name(const char *value, struct kubenames *problems); /* "example.com/MyName" */
void kubenames_label_value(const char *value, struct kubenames *problems);
void kubenames_path_segment(const char *value, struct kubenames *problems);
void kubenames_deinit(struct kubenames *problems);

/* Adds an error for each fault of the value; the errors show `shown` instead of it. */
void kubenames_check(kubenames_form *form, const char *value, const char *shown, const char *at,
                     struct fielderrors *errors);
/* The same as one error: prefix, then the messages joined with ",". Returns whether there is no error. */
bool kubenames_check_joined(kubenames_form *form, const char *value, const char *shown, const char *prefix,
                            const char *at, struct fielderrors *errors);

#endif
