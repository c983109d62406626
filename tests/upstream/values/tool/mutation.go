//go:build kubernetes1.36

package main

import (
	"reflect"
	"sort"
	"strings"
	"unsafe"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
	"k8s.io/apiserver/pkg/cel/mutation/dynamic"
)

// What plugin/cel/compile.go adds for mutations, which is not exported.
func mutationOptions() []cel.EnvOption {
	return []cel.EnvOption{common.ResolverEnvOption(&mutation.DynamicTypeResolver{}), library.JSONPatch()}
}

// Not exported either.
func fieldsOf(v *dynamic.ObjectVal) map[string]ref.Val {
	field := reflect.ValueOf(v).Elem().FieldByName("fields")
	return *(*map[string]ref.Val)(unsafe.Pointer(field.UnsafeAddr()))
}

// Of an Object{...} or a JSONPatch{...}; "": it is neither.
func objectText(v ref.Val) string {
	fields := map[string]ref.Val{}
	switch v := v.(type) {
	case *dynamic.ObjectVal:
		fields = fieldsOf(v)
	case *mutation.JSONPatchVal:
		for name, text := range map[string]string{"op": v.Op, "path": v.Path, "from": v.From} {
			if text != "" {
				fields[name] = types.String(text)
			}
		}
		if v.Val != nil {
			fields["value"] = v.Val
		}
	default:
		return ""
	}
	parts := []string{}
	for name, value := range fields {
		parts = append(parts, quoted(name)+": "+text(value))
	}
	sort.Strings(parts)
	return v.Type().TypeName() + "{" + strings.Join(parts, ", ") + "}"
}
