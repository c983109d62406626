package main

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// What a line without an expression holds: a policy and a request.
type policyInput struct {
	Policy          *v1.ValidatingAdmissionPolicySpec `json:"policy"`
	Object          json.RawMessage                   `json:"object"`
	OldObject       json.RawMessage                   `json:"oldObject"`
	Params          json.RawMessage                   `json:"params"`
	Request         admissionv1.AdmissionRequest      `json:"request"`
	NamespaceObject *corev1.Namespace                 `json:"namespaceObject"`
	Authorizer      answers                           `json:"authorizer"`
}

type policyDecision struct {
	Evaluation string `json:"evaluation"`
	Action     string `json:"action"`
	Message    string `json:"message,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

type policyAnnotation struct {
	Key    string `json:"key"`
	Action string `json:"action"`
	Text   string `json:"text,omitempty"`
}

// A typed object if the scheme knows the kind; otherwise what custom resources are.
func decodeObject(raw json.RawMessage) (runtime.Object, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	custom := &unstructured.Unstructured{}
	if err := custom.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	kind := custom.GroupVersionKind()
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		return custom, nil
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(custom.Object, object); err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, nil
}
