//go:build !kubernetes1.37

package main

import (
	"encoding/json"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
)

func typedValue(string, json.RawMessage) (any, error) {
	return nil, errors.New("there are no typed values before 1.37")
}

func setObject(versioned *admission.VersionedAttributes, object runtime.Object) {
	versioned.VersionedObject, versioned.Dirty = object, true
}
