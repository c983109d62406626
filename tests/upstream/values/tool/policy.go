//go:build kubernetes1.36

package main

import (
	"context"
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
)

func attributes(in *policyInput, object, oldObject runtime.Object) *admission.VersionedAttributes {
	r := in.Request
	extra := map[string][]string{}
	for key, values := range r.UserInfo.Extra {
		extra[key] = values
	}
	kind := schema.GroupVersionKind(r.Kind)
	who := &user.DefaultInfo{Name: r.UserInfo.Username, UID: r.UserInfo.UID, Groups: r.UserInfo.Groups, Extra: extra}
	attr := admission.NewAttributesRecord(object, oldObject, schema.GroupVersionKind(*r.RequestKind), r.Namespace, r.Name,
		schema.GroupVersionResource(*r.RequestResource), r.SubResource, admission.Operation(r.Operation), nil, *r.DryRun, who)
	versioned, err := admission.NewVersionedAttributes(attr, kind, nil)
	if err != nil {
		panic(err)
	}
	return versioned
}

// As plugin.go compiles a policy, which is not exported.
func compile(base *environment.EnvSet, spec *v1.ValidatingAdmissionPolicySpec) validating.Validator {
	with := plugin.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil, HasAuthorizer: true}
	without := plugin.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil}
	compiler, err := plugin.NewCompositedCompiler(base)
	if err != nil {
		panic(err)
	}
	var variables []plugin.NamedExpressionAccessor
	for _, v := range spec.Variables {
		variables = append(variables, &validating.Variable{Name: v.Name, Expression: v.Expression})
	}
	compiler.CompileAndStoreVariables(variables, with, environment.StoredExpressions)
	var conditions, annotations []plugin.ExpressionAccessor
	for i := range spec.MatchConditions {
		conditions = append(conditions, (*matchconditions.MatchCondition)(&spec.MatchConditions[i]))
	}
	for _, a := range spec.AuditAnnotations {
		annotations = append(annotations, &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression})
	}
	validations := make([]plugin.ExpressionAccessor, len(spec.Validations))
	messages := make([]plugin.ExpressionAccessor, len(spec.Validations))
	for i, v := range spec.Validations {
		validations[i] = &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
		if v.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
	}
	var matcher matchconditions.Matcher
	if len(conditions) > 0 {
		filter := compiler.CompileCondition(conditions, with, environment.StoredExpressions)
		matcher = matchconditions.NewMatcher(filter, spec.FailurePolicy, "policy", "validate", "policy")
	}
	return validating.NewValidator(compiler.CompileCondition(validations, with, environment.StoredExpressions), matcher,
		compiler.CompileCondition(annotations, with, environment.StoredExpressions),
		compiler.CompileCondition(messages, without, environment.StoredExpressions), spec.FailurePolicy, nil)
}

// Objects of what evaluatePolicy answers, in the order of the policy.
func describe(result validating.ValidateResult, out *output) {
	for _, d := range result.Decisions {
		out.Decisions = append(out.Decisions, policyDecision{string(d.Evaluation), string(d.Action), d.Message, string(d.Reason)})
	}
	for _, a := range result.AuditAnnotations {
		text := a.Value
		if a.Error != "" {
			text = a.Error
		}
		out.Annotations = append(out.Annotations, policyAnnotation{a.Key, string(a.Action), text})
	}
}

func evaluatePolicy(base *environment.EnvSet, in *policyInput, out *output) {
	object, err := decodeObject(in.Object)
	var oldObject, params runtime.Object
	if err == nil {
		oldObject, err = decodeObject(in.OldObject)
	}
	if err == nil {
		params, err = decodeObject(in.Params)
	}
	if err != nil {
		out.Issues = fmt.Sprint(err)
		return
	}
	attr := attributes(in, object, oldObject)
	resource := schema.GroupVersionResource(in.Request.Resource)
	describe(compile(base, in.Policy).Validate(context.Background(), resource, attr, params, in.NamespaceObject,
		celconfig.RuntimeCELCostBudget, in.Authorizer), out)
}

// line: the whole line, which may have what only a mutating policy has.
func answerPolicy(base *environment.EnvSet, line []byte, in *policyInput, out *output) {
	if spec := mutatingPolicy(line); spec != nil {
		mutate(base, spec, in, out)
	} else {
		evaluatePolicy(base, in, out)
	}
}
