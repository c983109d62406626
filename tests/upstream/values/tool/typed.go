//go:build kubernetes1.37

package main

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/cel/common"
)

func typedValue(name string, raw json.RawMessage) (any, error) {
	if name == "request" {
		request := &admissionv1.AdmissionRequest{}
		err := json.Unmarshal(raw, request)
		return common.SchemalessTypedToVal(request), err
	}
	object, err := decodeObject(raw)
	if err != nil {
		return nil, err
	}
	return common.SchemalessTypedToVal(object), nil
}

func setObject(versioned *admission.VersionedAttributes, object runtime.Object) {
	versioned.UpdateObject(object)
}
