#include "client/leader/lease.h"

#include <string.h>

#include "client/http/url.h"
#include "client/text/jsonval.h"

#define GROUP_VERSION "coordination.k8s.io/v1"

char *lease_path(const char *namespace, const char *name)
{
    return url_resource(&(struct url_resource){
        .group_version = GROUP_VERSION, .namespace = namespace, .resource = "leases", .name = name});
}

int lease_parse(const char *bytes, size_t len, struct json_object **out, struct err *err)
{
    struct json_object *lease = NULL;
    *out = NULL;
    if (jsonval_parse(bytes, len, &lease, err) != 0)
        return err_prefix(err, "a lease");
    if (strcmp(jsonval_string_or_empty(lease, "kind"), "Lease") != 0 ||
        jsonval_string(jsonval_get(lease, "metadata"), "resourceVersion") == NULL) {
        json_object_put(lease);
        return err_set(err, ERR_PROTOCOL, "the answer is not a Lease");
    }
    *out = lease;
    return 0;
}

struct json_object *lease_new(const char *namespace, const char *name)
{
    struct json_object *lease = json_object_new_object(), *metadata = json_object_new_object();
    jsonval_set(lease, "apiVersion", json_object_new_string(GROUP_VERSION));
    jsonval_set(lease, "kind", json_object_new_string("Lease"));
    jsonval_set(metadata, "name", json_object_new_string(name));
    jsonval_set(metadata, "namespace", json_object_new_string(namespace));
    jsonval_set(lease, "metadata", metadata);
    jsonval_set(lease, "spec", json_object_new_object());
    return lease;
}

const char *lease_holder(struct json_object *lease)
{
    return jsonval_string_or_empty(jsonval_get(lease, "spec"), "holderIdentity");
}

uint64_t lease_duration_ms(struct json_object *lease)
{
    int64_t duration_s = jsonval_int(jsonval_get(lease, "spec"), "leaseDurationSeconds", 0);
    return duration_s > 0 && duration_s <= INT32_MAX ? (uint64_t)duration_s * 1000 : 0;
}

const char *lease_record(struct json_object *lease)
{
    struct json_object *spec = jsonval_get(lease, "spec");
    return spec != NULL ? json_object_to_json_string_ext(spec, JSON_C_TO_STRING_PLAIN) : "";
}

void lease_hold(struct json_object *lease, const char *holder, int duration_s, const char *now)
{
    struct json_object *spec = jsonval_get(lease, "spec");
    bool is_new = jsonval_string(spec, "holderIdentity") == NULL;
    bool is_other = strcmp(lease_holder(lease), holder) != 0;
    int64_t transitions = jsonval_int(spec, "leaseTransitions", 0);
    if (!json_object_is_type(spec, json_type_object)) {
        spec = json_object_new_object();
        jsonval_set(lease, "spec", spec);
    }
    if (is_other || jsonval_string(spec, "acquireTime") == NULL)
        jsonval_set(spec, "acquireTime", json_object_new_string(now));
    if (is_other && !is_new && holder[0] != '\0' && transitions < INT32_MAX)
        transitions++;
    jsonval_set(spec, "holderIdentity", json_object_new_string(holder));
    jsonval_set(spec, "leaseDurationSeconds", json_object_new_int(duration_s));
    jsonval_set(spec, "leaseTransitions", json_object_new_int64(transitions));
    jsonval_set(spec, "renewTime", json_object_new_string(now));
}
