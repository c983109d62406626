/*
 * quantity: the part of resource quantities that the default values of pods need
 * (k8s.io/apimachinery/pkg/api/resource). Canonical texts are read: "1500m", "1Gi".
 *
 *     struct quantity_sum sum = {0};
 *     quantity_add(&sum, "500m");
 *     char *text = quantity_text(&sum);
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_QUANTITY_H
#define CONTROLLER_APISERVER_DEFAULTS_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

struct quantity_sum {
    int64_t thousandths;
    bool has_any, is_binary,
        is_lost; /* binary: written with Ki, Mi, as the first one; lost: too large or too small */
};

/* Returns true if a server reads the text as a quantity: "1500m", "1.5Gi", "1e3"; also " 1", "." and "Ki". */
bool quantity_is_valid(const char *text);
/* Returns true if the text is a quantity above zero. */
bool quantity_is_positive(const char *text);
void quantity_add(struct quantity_sum *sum, const char *text);
/* The caller frees it. Returns NULL if nothing was added, or the sum is lost. */
char *quantity_text(const struct quantity_sum *sum);

#endif
