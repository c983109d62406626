package main

import (
	"context"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"

	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	nodes "k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
)

// Which fields of a made object the API server's own validation refuses. It validates an object before it asks
// validating policies, so that a claim about every request says nothing about these fields' values.

type validator interface {
	Validate(ctx context.Context, o runtime.Object) field.ErrorList
}

// validators are those of the kinds that policies are mostly about; of other kinds only the metadata is validated.
var validators = map[schema.GroupKind]validator{
	{Group: "apps", Kind: "ControllerRevision"}:                       controllerrevision.Strategy,
	{Group: "apps", Kind: "DaemonSet"}:                                daemonset.Strategy,
	{Group: "apps", Kind: "Deployment"}:                               deployment.Strategy,
	{Group: "apps", Kind: "ReplicaSet"}:                               replicaset.Strategy,
	{Group: "apps", Kind: "StatefulSet"}:                              statefulset.Strategy,
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}:           horizontalpodautoscaler.Strategy,
	{Group: "batch", Kind: "CronJob"}:                                 cronjob.Strategy,
	{Group: "batch", Kind: "Job"}:                                     job.Strategy,
	{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}: certificates.Strategy,
	{Group: "coordination.k8s.io", Kind: "Lease"}:                     lease.Strategy,
	{Kind: "ConfigMap"}:                                               configmap.Strategy,
	{Kind: "LimitRange"}:                                              limitrange.Strategy,
	{Kind: "Namespace"}:                                               namespace.Strategy,
	{Kind: "Node"}:                                                    nodes.Strategy,
	{Kind: "PersistentVolume"}:                                        persistentvolume.Strategy,
	{Kind: "PersistentVolumeClaim"}:                                   persistentvolumeclaim.Strategy,
	{Kind: "Pod"}:                                                     pod.Strategy,
	{Kind: "PodTemplate"}:                                             podtemplate.Strategy,
	{Kind: "ReplicationController"}:                                   replicationcontroller.Strategy,
	{Kind: "ResourceQuota"}:                                           resourcequota.Strategy,
	{Kind: "Secret"}:                                                  secret.Strategy,
	{Kind: "Service"}:                                                 service.Strategy,
	{Kind: "ServiceAccount"}:                                          serviceaccount.Strategy,
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:                endpointslice.Strategy,
	{Group: "flowcontrol.apiserver.k8s.io", Kind: "FlowSchema"}:       flowschema.Strategy,
	{Group: "networking.k8s.io", Kind: "Ingress"}:                     ingress.Strategy,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:                ingressclass.Strategy,
	{Group: "networking.k8s.io", Kind: "NetworkPolicy"}:               networkpolicy.Strategy,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                      runtimeclass.Strategy,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                    poddisruptionbudget.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:         clusterrole.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}:  clusterrolebinding.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:                role.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:         rolebinding.Strategy,
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:               priorityclass.Strategy,
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:                      csidriver.Strategy,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                   storageclass.Strategy,
	{Group: "storage.k8s.io", Kind: "VolumeAttachment"}:               volumeattachment.Strategy,
}

// wrongEnums adds the names of the fields whose value is none of their enum. The API server asks about that when a
// custom resource is created; an update may keep what an older definition let pass.
func wrongEnums(names []string, s *schemaNode, name string, value any) []string {
	s = s.resolved()
	if len(s.Enum) > 0 && value != nil {
		is := false
		for _, one := range s.Enum {
			is = is || reflect.DeepEqual(one, value)
		}
		if !is {
			names = append(names, name)
		}
	}
	switch of := value.(type) {
	case map[string]any:
		for key, field := range of {
			if p := s.Properties[key]; p != nil {
				names = wrongEnums(names, p, key, field)
			} else if s.element != nil {
				names = wrongEnums(names, s.element, name, field)
			}
		}
	case []any:
		for _, item := range of {
			if s.Items != nil {
				names = wrongEnums(names, s.Items, name, item)
			}
		}
	}
	return names
}

// invalidMetadata is the same of an object whose kind has no validator.
func invalidMetadata(o runtime.Object) []string {
	of, err := meta.Accessor(o)
	if err != nil {
		return nil
	}
	isNamespaced := of.GetNamespace() != ""
	path := field.NewPath("metadata")
	if len(validation.ValidateObjectMetaAccessor(of, isNamespaced, validation.NameIsDNSSubdomain, path)) > 0 {
		return []string{"metadata"}
	}
	return nil
}

// invalidFields are the names of the fields that are refused: "restartPolicy" for spec.restartPolicy, "metadata" for
// all below it. o is of the internal version.
func invalidFields(o runtime.Object, gvk schema.GroupVersionKind, namespace string) (names []string) {
	of := validators[gvk.GroupKind()]
	if of == nil {
		return invalidMetadata(o)
	}
	defer func() { // of an object that decoding alone does not make
		if recover() != nil {
			names = []string{""}
		}
	}()
	ctx := genericapirequest.WithRequestInfo(genericapirequest.WithNamespace(context.Background(), namespace),
		&genericapirequest.RequestInfo{IsResourceRequest: true, APIGroup: gvk.Group, APIVersion: gvk.Version})
	for _, refused := range of.Validate(ctx, o) {
		if strings.Contains(refused.Detail, "invalid label selector") { // and what it selects is not looked at
			return []string{""}
		}
		if strings.HasPrefix(refused.Field, "metadata") {
			names = append(names, "metadata")
			continue
		}
		path := strings.FieldsFunc(refused.Field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
		for len(path) > 0 && strings.Trim(path[len(path)-1], "0123456789") == "" {
			path = path[:len(path)-1]
		}
		if len(path) > 0 {
			names = append(names, path[len(path)-1])
		}
	}
	return names
}
