#include "controller/subject.h"

#include <string.h>

#include "client/jsonval.h"
#include "client/log.h"

static bool is_left_alone(const struct policy *policy, const struct labelselector *selector)
{
    const char *skip = policy_annotation(policy, SUBJECT_SKIP);
    struct json_object *labels = jsonval_get(jsonval_get(policy->json, "metadata"), "labels");
    return (skip != NULL && strcmp(skip, "true") == 0) ||
           (selector != NULL && !labelselector_matches(selector, labels));
}

bool subject_init(struct subject *subject, const struct store_object *object,
                  const struct discovery *discovery, const struct types_options *types,
                  const struct labelselector *selector)
{
    struct err err = {0};
    *subject = (struct subject){0};
    if (object == NULL)
        return false;
    if (jsonval_parse(object->bytes, object->len, &subject->json, &err) != 0 ||
        policy_new(subject->json, &subject->policy, &err) != 0) {
        log_error(object->key, "the policy cannot be read: %s", err.msg);
        subject_deinit(subject);
        return false;
    }
    if (discovery != NULL && !is_left_alone(subject->policy, selector))
        subject->check = check_new(subject->policy, discovery, types);
    return true;
}

void subject_deinit(struct subject *subject)
{
    check_free(subject->check);
    policy_free(subject->policy);
    json_object_put(subject->json);
}
