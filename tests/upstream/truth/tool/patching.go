//go:build kubernetes1.36

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// What mutations make is applied by the API server's own patchers.

func init() {
	patching = &struct {
		withTypes func(*environment.EnvSet) (*environment.EnvSet, error)
		accessor  func(*mutationEntry) plugincel.ExpressionAccessor
		apply     func(s *session, r *request, isPatch bool, value ref.Val) (runtime.Object, error)
	}{withTypes, accessorOf, apply}
}

func withTypes(base *environment.EnvSet) (*environment.EnvSet, error) {
	return base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			common.ResolverEnvOption(&mutation.DynamicTypeResolver{}),
			environment.UnversionedLib(library.JSONPatch),
		},
	})
}

func accessorOf(m *mutationEntry) plugincel.ExpressionAccessor {
	if m.isPatch() {
		return &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
	}
	return &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
}

// evaluated is what a patcher takes for its expression: it has its value already.
type evaluated struct{ value ref.Val }

func (e evaluated) CompilationErrors() []error { return nil }

func (e evaluated) ForInput(context.Context, *admission.VersionedAttributes, *admissionv1.AdmissionRequest,
	plugincel.OptionalVariableBindings, *corev1.Namespace, int64) (plugincel.EvaluationResult, int64, error) {
	return plugincel.EvaluationResult{EvalResult: e.value}, 1, nil
}

var interfaces = admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme)

// apply makes of the request's object what the value says. A panic of the API server's code is an error, too.
func apply(s *session, r *request, isPatch bool, value ref.Val) (changed runtime.Object, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			changed, err = nil, fmt.Errorf("the API server panics: %v", cause)
		}
	}()
	attributes, err := admission.NewVersionedAttributes(r.attributes, s.kind, interfaces)
	if err != nil {
		return nil, err
	}
	types, err := convertersOf(s.dump).of(s.kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	patcher := patch.NewApplyConfigurationPatcher(evaluated{value})
	if isPatch {
		patcher = patch.NewJSONPatcher(evaluated{value})
	}
	changed, err = patcher.Patch(context.Background(), patch.Request{
		MatchedResource: r.attributes.GetResource(), VersionedAttributes: attributes, ObjectInterfaces: interfaces, TypeConverter: types,
	}, 1)
	if err != nil {
		return nil, err
	}
	if custom, is := changed.(*unstructured.Unstructured); is && !legacyscheme.Scheme.Recognizes(s.kind) {
		fillDefaults(custom.Object, s.schema)
		return custom, nil
	}
	if changed, err = interfaces.GetObjectConvertor().ConvertToVersion(changed, s.kind.GroupVersion()); err != nil {
		return nil, err
	}
	interfaces.GetObjectDefaulter().Default(changed)
	changed.GetObjectKind().SetGroupVersionKind(s.kind)
	return changed, nil
}

// converters know the types of a dump's groups.
type converters struct {
	dump  *dump
	mutex sync.Mutex
	known map[schema.GroupVersion]managedfields.TypeConverter
}

var (
	allConverters      = map[*dump]*converters{}
	allConvertersMutex sync.Mutex
)

func convertersOf(d *dump) *converters {
	allConvertersMutex.Lock()
	defer allConvertersMutex.Unlock()
	if allConverters[d] == nil {
		allConverters[d] = &converters{dump: d, known: map[schema.GroupVersion]managedfields.TypeConverter{}}
	}
	return allConverters[d]
}

// of is the converter of the document of the kind's own group and version; no other counts.
func (c *converters) of(gv schema.GroupVersion) (managedfields.TypeConverter, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if found := c.known[gv]; found != nil {
		return found, nil
	}
	path := filepath.Join("apis", gv.Group, gv.Version+".json")
	if gv.Group == "" {
		path = filepath.Join("api", gv.Version+".json")
	}
	text, err := os.ReadFile(filepath.Join(c.dump.directory, "openapi/v3", path))
	if err != nil {
		return nil, err
	}
	var published spec3.OpenAPI
	if err := json.Unmarshal(text, &published); err != nil {
		return nil, err
	}
	c.known[gv], err = managedfields.NewTypeConverter(published.Components.Schemas, false)
	return c.known[gv], err
}
