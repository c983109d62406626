package main

import (
	"reflect"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	core "k8s.io/kubernetes/pkg/apis/core"
)

// What the API server does to an object before validating admission sees it: metadata that
// nobody may set is cleared, and at creation the status of what has a status subresource.
// tests/e2e/admission_test.py holds it against real API servers.

// keepsStatus are the built-in kinds with a status subresource whose status can be created.
var keepsStatus = map[schema.GroupKind]bool{{Kind: "Node"}: true}

// clearsAllCreated is set by typed.go: before 1.37 what an apply creates keeps the metadata that a create loses, and
// requests are not told apart by that.
var clearsAllCreated bool

// prepare does to a new object what the API server does.
func prepare(o runtime.Object, e *endpoint, kind schema.GroupKind) {
	if e.Subresource != "" {
		return
	}
	if m, err := meta.Accessor(o); err == nil && clearsAllCreated {
		m.SetDeletionTimestamp(nil)
		m.SetDeletionGracePeriodSeconds(nil)
		m.SetSelfLink("")
	}
	if !e.Status || keepsStatus[kind] {
		return
	}
	if custom, is := o.(*unstructured.Unstructured); is {
		delete(custom.Object, "status")
		return
	}
	if status := reflect.ValueOf(o).Elem().FieldByName("Status"); status.IsValid() {
		status.SetZero()
	}
	switch made := o.(type) {
	case *core.Pod:
		made.Status.Phase, made.Status.QOSClass = core.PodPending, core.PodQOSBestEffort
		if len(made.Spec.SchedulingGates) > 0 {
			made.Status.Conditions = []core.PodCondition{{Type: core.PodScheduled, Status: core.ConditionFalse, Reason: "SchedulingGated"}}
		}
	case *core.Namespace:
		made.Status.Phase = core.NamespaceActive
	case *core.PersistentVolume:
		now := metav1.NewTime(time.Unix(1700000000, 0))
		made.Status.Phase, made.Status.LastPhaseTransitionTime = core.VolumePending, &now
	case *apiextensions.CustomResourceDefinition:
		for _, version := range made.Spec.Versions {
			if version.Storage {
				made.Status.StoredVersions = []string{version.Name}
				break
			}
		}
	case *apiregistration.APIService:
		if made.Spec.Service == nil {
			made.Status.Conditions = []apiregistration.APIServiceCondition{{Type: apiregistration.Available, Status: apiregistration.ConditionTrue, Reason: "Local"}}
		}
	}
}

// mayCome are fields of a new object's status that not every object has.
var mayCome = map[schema.GroupKind]map[string]any{
	{Kind: "Pod"}: {"conditions": nil},
	{Group: "apiregistration.k8s.io", Kind: "APIService"}: {"conditions": nil},
}

// arriving is the schema of what comes to admission: the kind's, less what was cleared. content is one such object.
func arriving(s *schemaNode, e *endpoint, kind schema.GroupKind, operation string, isOld bool, content map[string]any) *schemaNode {
	if kind == (schema.GroupKind{Kind: "Secret"}) {
		s = s.without("stringData") // it has become data
	}
	created := operation == "CREATE" && e.Subresource == ""
	if metadata := s.resolved().Properties["metadata"]; metadata != nil {
		var cleared []string
		if !e.Namespaced {
			cleared = append(cleared, "namespace")
		}
		if created && clearsAllCreated {
			cleared = append(cleared, "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink")
		} else if isOld {
			cleared = append(cleared, "selfLink")
		}
		if len(cleared) > 0 && len(metadata.resolved().Properties) > 0 {
			s = s.with("metadata", metadata.without(cleared...))
		}
	}
	status := s.resolved().Properties["status"]
	if !created || !e.Status || keepsStatus[kind] || status == nil {
		return s
	}
	there, is := content["status"].(map[string]any)
	if !is {
		return s.without("status")
	}
	all := map[string]any{}
	for _, fields := range []map[string]any{mayCome[kind], there} {
		for name, value := range fields {
			all[name] = value
		}
	}
	return s.with("status", status.closedBy(all))
}
