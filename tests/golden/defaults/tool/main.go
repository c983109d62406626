// defaults: how Go writes the fields of Kubernetes' types that have no value.
//
// Prints for each struct of the kinds that an API server serves a line "TYPE OMITTED NULL ZERO": its name in OpenAPI
// documents; the fields of numbers, strings, booleans and bytes that Go leaves out if they are zero; the times, and the
// pointers to such values, that it writes as null if they are not set; the quantities that it writes as "0" if they
// are not set. Each list is joined by commas, or is "-".
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var lines = map[string]string{}
var seen = map[reflect.Type]bool{}

func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

// "io.k8s.api.core.v1.PodSpec" of k8s.io/api/core/v1.PodSpec.
func name(t reflect.Type) string {
	host, path, _ := strings.Cut(t.PkgPath(), "/")
	parts := strings.Split(host, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

func list(fields []string) string {
	if len(fields) == 0 {
		return "-"
	}
	sort.Strings(fields)
	return strings.Join(fields, ",")
}

func isTime(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && (t.Name() == "Time" || t.Name() == "MicroTime")
}

func fields(t reflect.Type, omitted, null, zero *[]string) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		walk(f.Type)
		if tag == "-" {
			continue
		}
		if f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct {
			fields(f.Type, omitted, null, zero)
			continue
		}
		isOmitted := strings.Contains(options, "omitempty")
		isBytes := f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Uint8
		if isOmitted && (isScalar(f.Type) || isBytes) {
			*omitted = append(*omitted, tag)
		}
		isPointer := f.Type.Kind() == reflect.Pointer
		// A time is no pointer, so that omitempty does nothing for it.
		if isTime(f.Type) && !strings.Contains(options, "omitzero") ||
			isPointer && !isOmitted && (isScalar(f.Type.Elem()) || isTime(f.Type.Elem())) {
			*null = append(*null, tag)
		}
		if f.Type.Kind() == reflect.Struct && f.Type.Name() == "Quantity" {
			*zero = append(*zero, tag)
		}
	}
}

func walk(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		walk(t.Elem())
		return
	case reflect.Struct:
	default:
		return
	}
	if seen[t] {
		return
	}
	seen[t] = true
	var omitted, null, zero []string
	fields(t, &omitted, &null, &zero)
	if strings.Contains(t.PkgPath(), "k8s.io/") {
		lines[name(t)] = list(omitted) + " " + list(null) + " " + list(zero)
	}
}

func main() {
	for _, add := range []func() error{
		func() error { return apiextensions.AddToScheme(scheme.Scheme) },
		func() error { return apiregistration.AddToScheme(scheme.Scheme) },
	} {
		if err := add(); err != nil {
			panic(err)
		}
	}
	for kind, t := range scheme.Scheme.AllKnownTypes() {
		if kind.Version != "__internal" && !strings.HasSuffix(kind.Kind, "List") {
			walk(t)
		}
	}
	names := []string{}
	for n := range lines {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Println(n, lines[n])
	}
}
