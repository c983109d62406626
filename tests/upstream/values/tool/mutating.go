//go:build kubernetes1.36

package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/google/cel-go/common/types"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/spec3"
)

// The documents of a bundle (manifests/schemas), by path.
var documents = map[string][]byte{}

func check(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "evaluate: %v\n", err)
		os.Exit(1)
	}
}

func readBundle(path string) {
	file, err := os.Open(path)
	check(err)
	unpacked, err := gzip.NewReader(file)
	check(err)
	for r := bufio.NewReader(unpacked); ; {
		var name string
		var size int
		if _, err := fmt.Fscanf(r, "%s %d\n", &name, &size); err != nil {
			return
		}
		text := make([]byte, size+1)
		_, err := io.ReadFull(r, text)
		check(err)
		documents[name] = text
	}
}

// By version: they are slow to make.
var converters = map[string]managedfields.TypeConverter{}

// Of the kinds of one version, as the API server makes it of its own document.
func typeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	path := "/openapi/v3/apis/" + kind.Group + "/" + kind.Version
	if kind.Group == "" {
		path = "/openapi/v3/api/" + kind.Version
	}
	if known := converters[path]; known != nil {
		return known
	}
	var document spec3.OpenAPI
	check(json.Unmarshal(documents[path], &document))
	converter, err := managedfields.NewTypeConverter(document.Components.Schemas, false)
	check(err)
	converters[path] = converter
	return converter
}

func mutatingPolicy(line []byte) *v1.MutatingAdmissionPolicySpec {
	var in struct {
		Policy *v1.MutatingAdmissionPolicySpec `json:"policy"`
	}
	if json.Unmarshal(line, &in) != nil || in.Policy == nil || len(in.Policy.Mutations) == 0 {
		return nil
	}
	return in.Policy
}

// As policy/mutating/compilation.go compiles a policy, which is not exported.
func compileMutating(base *environment.EnvSet, spec *v1.MutatingAdmissionPolicySpec) (matchconditions.Matcher, []patch.Patcher, *plugin.CompositedCompiler) {
	with := plugin.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil, HasAuthorizer: true}
	compiler, err := plugin.NewCompositedCompiler(base)
	check(err)
	var variables []plugin.NamedExpressionAccessor
	for _, v := range spec.Variables {
		variables = append(variables, &validating.Variable{Name: v.Name, Expression: v.Expression})
	}
	compiler.CompileAndStoreVariables(variables, with, environment.StoredExpressions)
	var conditions []plugin.ExpressionAccessor
	for i := range spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&spec.MatchConditions[i]))
	}
	var matcher matchconditions.Matcher
	if len(conditions) > 0 {
		matcher = matchconditions.NewMatcher(compiler.CompileCondition(conditions, with, environment.StoredExpressions), spec.FailurePolicy, "policy", "validate", "policy")
	}
	with.HasPatchTypes = true
	var patchers []patch.Patcher
	for _, m := range spec.Mutations {
		if m.JSONPatch != nil {
			accessor := &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
			patchers = append(patchers, patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(accessor, with, environment.StoredExpressions)))
		} else {
			accessor := &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
			patchers = append(patchers, patch.NewApplyConfigurationPatcher(compiler.CompileMutatingEvaluator(accessor, with, environment.StoredExpressions)))
		}
	}
	return matcher, patchers, compiler
}

func finish(object runtime.Object, kind schema.GroupVersionKind, isCustom bool) (runtime.Object, error) {
	if isCustom {
		return object, nil
	}
	typed, err := scheme.Scheme.ConvertToVersion(object, kind.GroupVersion())
	if err == nil {
		typed.GetObjectKind().SetGroupVersionKind(kind)
	}
	return typed, err
}

// One pass of policy/mutating/dispatcher.go over one policy; whether the match conditions let it run.
func mutateOnce(matcher matchconditions.Matcher, patchers []patch.Patcher, compiler *plugin.CompositedCompiler, spec *v1.MutatingAdmissionPolicySpec, in *policyInput,
	object, oldObject, params runtime.Object, converter managedfields.TypeConverter, out *output) (runtime.Object, bool) {
	ctx := compiler.CreateContext(context.Background())
	action := "deny"
	if spec.FailurePolicy != nil && *spec.FailurePolicy == v1.Ignore {
		action = "admit"
	}
	fail := func(err error) {
		out.Decisions = append(out.Decisions, policyDecision{"error", action, err.Error(), ""})
	}
	// what the match conditions made of the objects stays
	versioned := attributes(in, object, oldObject)
	if matcher != nil {
		result := matcher.Match(ctx, versioned, params, in.Authorizer)
		if result.Error != nil {
			fail(result.Error)
			return object, false
		}
		if !result.Matches {
			return object, false
		}
	}
	_, isCustom := object.(*unstructured.Unstructured)
	changed := false
	for _, patcher := range patchers {
		request := patch.Request{
			MatchedResource:     schema.GroupVersionResource(in.Request.Resource),
			VersionedAttributes: versioned,
			ObjectInterfaces:    admission.NewObjectInterfacesFromScheme(scheme.Scheme),
			OptionalVariables:   plugin.OptionalVariableBindings{VersionedParams: params, Authorizer: in.Authorizer},
			Namespace:           in.NamespaceObject,
			TypeConverter:       converter,
		}
		patched, err := patcher.Patch(ctx, request, celconfig.RuntimeCELCostBudget)
		if err == nil {
			patched, err = finish(patched, object.GetObjectKind().GroupVersionKind(), isCustom)
		}
		if err != nil {
			fail(err)
			continue
		}
		object, changed = patched, true
		setObject(versioned, object)
	}
	return object, changed
}

func mutate(base *environment.EnvSet, spec *v1.MutatingAdmissionPolicySpec, in *policyInput, out *output) {
	object, err := decodeObject(in.Object)
	oldObject, err2 := decodeObject(in.OldObject)
	params, err3 := decodeObject(in.Params)
	if err != nil || err2 != nil || err3 != nil || object == nil {
		out.Issues = strings.Join([]string{fmt.Sprint(err), fmt.Sprint(err2), fmt.Sprint(err3)}, "; ")
		return
	}
	matcher, patchers, compiler := compileMutating(base, spec)
	converter := typeConverter(object.GetObjectKind().GroupVersionKind())
	object, changed := mutateOnce(matcher, patchers, compiler, spec, in, object, oldObject, params, converter, out)
	if changed && spec.ReinvocationPolicy == v1.IfNeededReinvocationPolicy {
		object, _ = mutateOnce(matcher, patchers, compiler, spec, in, object, oldObject, params, converter, out)
	}
	if changed {
		plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		check(err)
		out.Mutated = text(types.DefaultTypeAdapter.NativeToValue(plain))
	}
}
