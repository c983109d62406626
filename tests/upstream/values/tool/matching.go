//go:build kubernetes1.36

package main

import (
	"context"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/client-go/kubernetes"
	typedv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	listersv1 "k8s.io/client-go/listers/core/v1"
)

// What a line holds that asks whether resources match a request, beside its objects.
type matchInput struct {
	Match       *v1.MatchResources `json:"match"`
	Equivalents []endpoint         `json:"equivalents"`
}

type endpoint struct {
	Group    string                  `json:"group"`
	Version  string                  `json:"version"`
	Resource string                  `json:"resource"`
	Kind     metav1.GroupVersionKind `json:"kind"`
}

func (e *endpoint) resource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: e.Group, Version: e.Version, Resource: e.Resource}
}

// The only namespace that there is, or none.
type namespaces struct{ only *corev1.Namespace }

func (n *namespaces) Get(name string) (*corev1.Namespace, error) {
	if n.only == nil || n.only.Name != name {
		return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
	}
	return n.only, nil
}

type client struct {
	kubernetes.Interface
	namespaces *namespaces
}

type core struct {
	typedv1.CoreV1Interface
	namespaces *namespaces
}

type getter struct {
	typedv1.NamespaceInterface
	namespaces *namespaces
}

func (c client) CoreV1() typedv1.CoreV1Interface      { return core{namespaces: c.namespaces} }
func (c core) Namespaces() typedv1.NamespaceInterface { return getter{namespaces: c.namespaces} }
func (g getter) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return g.namespaces.Get(name)
}

type criteria struct{ *v1.MatchResources }

func (c criteria) GetParsedNamespaceSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(c.NamespaceSelector)
}

func (c criteria) GetParsedObjectSelector() (labels.Selector, error) {
	return metav1.LabelSelectorAsSelector(c.ObjectSelector)
}

func (c criteria) GetMatchResources() v1.MatchResources { return *c.MatchResources }

type mapper struct {
	admission.ObjectInterfaces
	equivalents runtime.EquivalentResourceRegistry
}

func (m mapper) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper { return m.equivalents }

// As pkg/apis/admissionregistration/v1 does it.
func setDefaults(m *v1.MatchResources) {
	if m.MatchPolicy == nil {
		equivalent := v1.Equivalent
		m.MatchPolicy = &equivalent
	}
	if m.NamespaceSelector == nil {
		m.NamespaceSelector = &metav1.LabelSelector{}
	}
	if m.ObjectSelector == nil {
		m.ObjectSelector = &metav1.LabelSelector{}
	}
}

func match(in *input, out *output) {
	object, err := decodeObject(in.Object)
	var oldObject runtime.Object
	if err == nil {
		oldObject, err = decodeObject(in.OldObject)
	}
	if err != nil {
		out.Issues = err.Error()
		return
	}
	setDefaults(in.Match)
	attr := attributes(&in.policyInput, object, oldObject)
	registry := runtime.NewEquivalentResourceRegistryWithIdentity(func(schema.GroupResource) string { return "all" })
	for _, e := range append([]endpoint{{attr.GetResource().Group, attr.GetResource().Version, attr.GetResource().Resource,
		metav1.GroupVersionKind(attr.GetKind())}}, in.Equivalents...) {
		registry.RegisterKindFor(e.resource(), attr.GetSubresource(), schema.GroupVersionKind(e.Kind))
	}
	there := &namespaces{only: in.NamespaceObject}
	matcher := matching.NewMatcher(lister{namespaces: there}, client{namespaces: there})
	matches, resource, _, err := matcher.Matches(attr, mapper{equivalents: registry}, criteria{in.Match})
	switch {
	case err != nil:
		out.Error = err.Error()
	case matches:
		out.Value = resource.GroupVersion().String()
	}
}

type lister struct {
	listersv1.NamespaceLister
	namespaces *namespaces
}

func (l lister) Get(name string) (*corev1.Namespace, error) { return l.namespaces.Get(name) }
