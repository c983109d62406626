#include "cmd/kubectl-vapcheck/input/liveobjects.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "client/text/yaml_write.h"
#include "cmd/kubectl-vapcheck/input/remote.h"

#define ADMISSION "admissionregistration.k8s.io/"

/* The resources that are read. If several versions of one are listed, the first that the server serves is
 * read. */
static const struct {
    const char *group_version, *resource, *kind;
} lists[] = {
    {"apiextensions.k8s.io/v1", "customresourcedefinitions", "CustomResourceDefinition"},
    {ADMISSION "v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy"},
    {ADMISSION "v1", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding"},
    {ADMISSION "v1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy"},
    {ADMISSION "v1beta1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy"},
    {ADMISSION "v1alpha1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy"},
    {ADMISSION "v1", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding"},
    {ADMISSION "v1beta1", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding"},
    {ADMISSION "v1alpha1", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding"},
    {ADMISSION "v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"},
    {ADMISSION "v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"},
};

enum { N_LISTS = sizeof lists / sizeof *lists };

/* Makes the object as a user would write it. An item of a list names no kind, so it is added. */
static void make_plain(struct json_object *object, size_t list)
{
    struct json_object *metadata = jsonval_get(object, "metadata");
    jsonval_set(object, "apiVersion", json_object_new_string(lists[list].group_version));
    jsonval_set(object, "kind", json_object_new_string(lists[list].kind));
    jsonval_drop(object, "status");
    if (metadata == NULL)
        return;
    jsonval_drop(metadata, "managedFields");
    jsonval_drop(metadata, "resourceVersion");
    jsonval_drop(metadata, "uid");
    jsonval_drop(metadata, "generation");
    jsonval_drop(metadata, "creationTimestamp");
}

static void add_object(struct inputs *inputs, size_t list, struct json_object *object)
{
    const char *name = jsonval_metadata(object, "name");
    struct buf text;
    make_plain(object, list);
    buf_init(&text, YAML_TEXT_CAP_BYTES);
    yaml_write(&text, object);
    inputs_add_text(inputs, mem_printf("%s/%s", lists[list].resource, name), buf_take(&text, NULL));
}

/* *is_served stays as it is if the server does not serve the list. */
static int add_list(struct remote *remote, struct inputs *inputs, size_t list, bool *is_served,
                    struct err *err)
{
    cleanup_mem char *path = mem_printf("/apis/%s/%s", lists[list].group_version, lists[list].resource);
    cleanup_json struct json_object *tree = NULL;
    const char *bytes;
    size_t len;
    if (remote_get(remote, path, &bytes, &len, err) != 0) {
        if (err->code != ERR_NOT_FOUND)
            return err_prefix(err, "%s", lists[list].resource);
        *err = (struct err){0};
        return 0;
    }
    if (jsonval_parse(bytes, len, &tree, err) != 0)
        return err_prefix(err, "%s", lists[list].resource);
    remote_forget_last(remote);
    *is_served = true;
    struct json_object *items = jsonval_array(tree, "items");
    for (size_t i = 0; i < jsonval_length(items); i++) {
        if (json_object_is_type(jsonval_at(items, i), json_type_object))
            add_object(inputs, list, jsonval_at(items, i));
    }
    return 0;
}

int liveobjects_add(const struct config_source *source, struct inputs *inputs, struct err *err)
{
    struct remote *remote;
    const char *read = "";
    int answer = 0;
    if (remote_open(source, &remote, err) != 0)
        return -1;
    for (size_t i = 0; i < N_LISTS && answer == 0; i++) {
        bool is_served = false;
        if (strcmp(read, lists[i].resource) == 0)
            continue;
        answer = add_list(remote, inputs, i, &is_served, err);
        read = is_served ? lists[i].resource : read;
    }
    remote_close(remote);
    return answer;
}
