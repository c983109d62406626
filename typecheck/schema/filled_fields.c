#include "typecheck/schema/filled_fields.h"

#include <string.h>

struct row {
    struct str group, type;
    const char *fields; /* each between spaces */
};

#define ROW(group, type, fields)                                                                             \
    {                                                                                                        \
        STR_INIT(group), STR_INIT("." type), " " fields " "                                                  \
    }

/* pkg/apis/GROUP/v1/defaults.go, and the strategies and validations of each kind. */
static const struct row rows[] = {
    ROW("meta", "ObjectMeta", "name namespace uid creationTimestamp generation managedFields"),
    ROW("core", "PodSpec",
        "restartPolicy dnsPolicy securityContext terminationGracePeriodSeconds schedulerName"),
    ROW("core", "Container", "image imagePullPolicy terminationMessagePath terminationMessagePolicy"),
    ROW("core", "EphemeralContainer",
        "image imagePullPolicy terminationMessagePath terminationMessagePolicy"),
    ROW("core", "ContainerPort", "protocol"),
    ROW("core", "Probe", "timeoutSeconds periodSeconds successThreshold failureThreshold"),
    ROW("core", "HTTPGetAction", "path scheme"),
    ROW("core", "HostPathVolumeSource", "type"),
    ROW("core", "SecretVolumeSource", "defaultMode secretName"),
    ROW("core", "ConfigMapVolumeSource", "defaultMode name"),
    ROW("core", "DownwardAPIVolumeSource", "defaultMode"),
    ROW("core", "ProjectedVolumeSource", "defaultMode"),
    ROW("core", "ServiceAccountTokenProjection", "expirationSeconds"),
    ROW("core", "ObjectFieldSelector", "apiVersion"),
    ROW("core", "ServiceSpec",
        "type sessionAffinity clusterIP clusterIPs ipFamilies ipFamilyPolicy internalTrafficPolicy"),
    ROW("core", "ServicePort", "protocol targetPort"),
    ROW("core", "EndpointPort", "protocol"),
    ROW("core", "Secret", "type"),
    ROW("core", "NamespaceSpec", "finalizers"),
    ROW("core", "PersistentVolumeSpec", "persistentVolumeReclaimPolicy volumeMode capacity accessModes"),
    ROW("core", "PersistentVolumeClaimSpec", "volumeMode accessModes"),
    ROW("core", "VolumeResourceRequirements", "requests"),
    ROW("core", "ReplicationControllerSpec", "replicas selector template"),
    ROW("apps", "DeploymentSpec", "replicas revisionHistoryLimit progressDeadlineSeconds"),
    ROW("apps", "DeploymentStrategy", "type"),
    ROW("apps", "ReplicaSetSpec", "replicas"),
    ROW("apps", "StatefulSetSpec",
        "replicas podManagementPolicy revisionHistoryLimit persistentVolumeClaimRetentionPolicy"),
    ROW("apps", "StatefulSetUpdateStrategy", "type"),
    ROW("apps", "DaemonSetSpec", "revisionHistoryLimit"),
    ROW("apps", "DaemonSetUpdateStrategy", "type"),
    ROW("batch", "JobSpec", "parallelism suspend backoffLimit completionMode podReplacementPolicy selector"),
    ROW("batch", "CronJobSpec",
        "concurrencyPolicy suspend successfulJobsHistoryLimit failedJobsHistoryLimit"),
    ROW("autoscaling", "HorizontalPodAutoscalerSpec", "minReplicas metrics"),
    ROW("networking", "NetworkPolicySpec", "policyTypes"),
    ROW("networking", "NetworkPolicyPort", "protocol"),
    ROW("rbac", "Subject", "apiGroup"),
    ROW("storage", "StorageClass", "reclaimPolicy volumeBindingMode"),
    ROW("scheduling", "PriorityClass", "preemptionPolicy"),
    ROW("admissionregistration", "ValidatingWebhook",
        "failurePolicy matchPolicy namespaceSelector objectSelector timeoutSeconds rules"),
    ROW("admissionregistration", "MutatingWebhook",
        "failurePolicy matchPolicy namespaceSelector objectSelector timeoutSeconds reinvocationPolicy rules"),
    ROW("admissionregistration", "RuleWithOperations", "scope apiGroups apiVersions operations resources"),
    ROW("admissionregistration", "ValidatingAdmissionPolicySpec", "failurePolicy matchConstraints"),
    ROW("admissionregistration", "ServiceReference", "port"),
    ROW("v1", "CustomResourceDefinitionSpec", "conversion"),
    ROW("v1", "CustomResourceDefinitionNames", "singular listKind"),
};

struct place {
    struct str place;
    const char *fields;
};

#define PLACE(place, fields)                                                                                 \
    {                                                                                                        \
        STR_INIT(place), " " fields " "                                                                      \
    }

/* What admission adds to pods alone; labels that a selector, or the kind, needs. */
static const struct place places[] = {
    PLACE("Pod.spec",
          "serviceAccountName serviceAccount tolerations priority preemptionPolicy enableServiceLinks"),
    PLACE("Namespace.metadata", "labels"),
    PLACE("Deployment.spec.template.metadata", "labels"),
    PLACE("ReplicaSet.spec.template.metadata", "labels"),
    PLACE("StatefulSet.spec.template.metadata", "labels"),
    PLACE("DaemonSet.spec.template.metadata", "labels"),
    PLACE("ReplicationController.spec.template.metadata", "labels"),
    PLACE("Job.spec.template.metadata", "labels"),
};

static bool lists(const char *fields, struct str field)
{
    for (const char *at = fields; *at != '\0'; at++) {
        if (*at == ' ' && strncmp(at + 1, field.at, field.len) == 0 && at[1 + field.len] == ' ')
            return true;
    }
    return false;
}

/* io.k8s.api.GROUP.VERSION.TYPE */
static bool is_of(struct str go_type, const struct row *row)
{
    const char *at = memmem(go_type.at, go_type.len, row->group.at, row->group.len);
    return at != NULL && str_has_suffix(go_type, row->type);
}

bool filled_fields_has(struct str go_type, struct str place, struct str field)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (is_of(go_type, &rows[i]) && lists(rows[i].fields, field))
            return true;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (str_eq(places[i].place, place) && lists(places[i].fields, field))
            return true;
    }
    return false;
}
