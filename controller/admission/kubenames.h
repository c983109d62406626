/*
 * kubenames: the forms that Kubernetes asks of names, labels and the like,
 * and what it says where one has another form. Pure.
 *
 * (k8s.io/apimachinery/pkg/api/validate/content, pkg/util/validation)
 *
 *     cleanup_kubenames struct kubenames problems = {0};
 *     kubenames_subdomain("My.Name", &problems);
 *     for (size_t i = 0; i < problems.count; i++) say(problems.messages[i]);
 */
#ifndef CONTROLLER_ADMISSION_KUBENAMES_H
#define CONTROLLER_ADMISSION_KUBENAMES_H

#include <stdbool.h>
#include <stddef.h>

/* What is wrong with one value. */
struct kubenames {
    char *messages[4];
    size_t count;
    bool is_old; /* in the words of before 1.35 */
};

#define cleanup_kubenames __attribute__((cleanup(kubenames_deinit)))

/* Each adds what it objects to; nothing is a fine value. */
void kubenames_subdomain(const char *value, struct kubenames *problems);      /* DNS, RFC 1123 */
void kubenames_label_1035(const char *value, struct kubenames *problems);     /* DNS, RFC 1035 */
void kubenames_qualified_name(const char *value, struct kubenames *problems); /* "example.com/MyName" */
void kubenames_label_value(const char *value, struct kubenames *problems);
void kubenames_path_segment(const char *value, struct kubenames *problems);
void kubenames_deinit(struct kubenames *problems);

/* All messages joined with ","; the caller's. */
char *kubenames_join(const struct kubenames *problems);

#endif
