package main

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/lazy"
	"k8s.io/apiserver/pkg/cel/library"
)

// A policy, compiled as the API server compiles it, each expression with watchers.

var kubernetes = version.MajorMinor(1, 36)

// problem is why the API server refuses an expression; line 0 is no place in it.
type problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type expression struct {
	fieldRef string
	text     string
	problems []problem
	program  cel.Program
	output   *cel.Type
	nodes    map[int64]*node
	ordered  []*node // in the order of the tree
	session  *session
	trace    *trace

	last    map[int64]ref.Val // of the last evaluation
	applied place             // whether what a mutation makes can be applied

	evaluated, errors int
	came              [3]int // how often it was false, and true, and failed, for objects that the API server does not refuse (valid.go)
	anything          bool   // the last value is not bound by a schema
	settled           bool   // nothing but the type decides it
}

type policy struct {
	hasParams       bool
	variables       map[string]*expression
	matchConditions []*expression
	validations     []*expression
	messages        []*expression // nil where a validation has none
	audits          []*expression
	mutations       []compiledMutation
	all             []*expression // in the policy's order
	mentions        mentions
	session         *session
}

// environments for expressions with and without the authorizer, and for mutations; this is nil before they are known.
func environments(hasParams bool, variables *apiservercel.DeclType) (with, without, mutating *cel.Env, err error) {
	request, namespace := plugincel.BuildRequestType(), plugincel.BuildNamespaceType()
	base := baseEnvironment(kubernetes)
	build := func(authorizer, patches bool) (*cel.Env, error) {
		options := []cel.EnvOption{
			cel.Variable(plugincel.VariableVarName, variables.CelType()),
			cel.Variable(plugincel.ObjectVarName, cel.DynType),
			cel.Variable(plugincel.OldObjectVarName, cel.DynType),
			cel.Variable(plugincel.NamespaceVarName, namespace.CelType()),
			cel.Variable(plugincel.RequestVarName, request.CelType()),
		}
		if hasParams {
			options = append(options, cel.Variable(plugincel.ParamsVarName, cel.DynType))
		}
		if authorizer {
			options = append(options,
				cel.Variable(plugincel.AuthorizerVarName, library.AuthorizerType),
				cel.Variable(plugincel.RequestResourceAuthorizerVarName, library.ResourceCheckType))
		}
		set, err := base.Extend(environment.VersionedOptions{
			IntroducedVersion: version.MajorMinor(1, 0),
			EnvOptions:        options,
			DeclTypes:         []*apiservercel.DeclType{variables, request, namespace},
		}, environment.StrictCostOpt)
		if err == nil && patches {
			set, err = patching.withTypes(set)
		}
		if err != nil {
			return nil, err
		}
		return set.StoredExpressionsEnv(), nil
	}
	if with, err = build(true, false); err != nil {
		return nil, nil, nil, err
	}
	if without, err = build(false, false); err != nil || patching == nil {
		return with, without, nil, err
	}
	mutating, err = build(true, true)
	return with, without, mutating, err
}

func compilePolicy(from *admissionregistration.ValidatingAdmissionPolicy, mutations []mutationEntry, s *session) (*policy, error) {
	p := &policy{hasParams: from.Spec.ParamKind != nil, variables: map[string]*expression{}, session: s}
	fields := apiservercel.NewObjectType("kubernetes.variables", map[string]*apiservercel.DeclField{})
	with, without, mutating, err := environments(p.hasParams, fields)
	if err != nil {
		return nil, err
	}
	add := func(env *cel.Env, accessor plugincel.ExpressionAccessor, format string, args ...any) *expression {
		x := compile(env, accessor, fmt.Sprintf(format, args...), s)
		p.all = append(p.all, x)
		p.mentions.add(env, x.text)
		return x
	}
	for i, v := range from.Spec.Variables {
		x := add(with, &validating.Variable{Name: v.Name, Expression: v.Expression}, "spec.variables[%d].expression", i)
		p.variables[v.Name] = x
		fields.Fields[v.Name] = apiservercel.NewDeclField(v.Name, declType(x.output), true, nil, nil)
	}
	for i := range from.Spec.MatchConditions {
		p.matchConditions = append(p.matchConditions, add(with,
			(*matchconditions.MatchCondition)(&from.Spec.MatchConditions[i]), "spec.matchConditions[%d].expression", i))
	}
	for i, v := range from.Spec.Validations {
		p.validations = append(p.validations, add(with,
			&validating.ValidationCondition{Expression: v.Expression}, "spec.validations[%d].expression", i))
		var message *expression
		if v.MessageExpression != "" {
			message = add(without, &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression},
				"spec.validations[%d].messageExpression", i)
		}
		p.messages = append(p.messages, message)
	}
	for i, v := range from.Spec.AuditAnnotations {
		p.audits = append(p.audits, add(with,
			&validating.AuditAnnotationCondition{Key: v.Key, ValueExpression: v.ValueExpression},
			"spec.auditAnnotations[%d].valueExpression", i))
	}
	for i := range mutations {
		if mutating == nil {
			return nil, fmt.Errorf("this release has no mutations")
		}
		m := &mutations[i]
		p.mutations = append(p.mutations, compiledMutation{add(mutating, patching.accessor(m), m.fieldRef(), i), m.isPatch()})
	}
	return p, nil
}

func compile(env *cel.Env, accessor plugincel.ExpressionAccessor, fieldRef string, s *session) (x *expression) {
	x = &expression{fieldRef: fieldRef, text: accessor.GetExpression(), session: s, nodes: map[int64]*node{}}
	defer func() { // cel-go's check of literals does for an optional element that is dyn
		if cause := recover(); cause != nil {
			x.problems = append(x.problems, problem{Message: fmt.Sprint("the compiler panics: ", cause)})
		}
	}()
	checked, issues := env.Compile(x.text)
	if issues != nil && issues.Err() != nil {
		for _, e := range issues.Errors() {
			x.problems = append(x.problems, problem{e.Location.Line(), e.Location.Column() + 1, e.Message})
		}
		return x
	}
	wanted := false
	for _, t := range accessor.ReturnTypes() {
		wanted = wanted || checked.OutputType().IsExactType(t) || cel.AnyType.IsExactType(t)
	}
	if !wanted {
		x.problems = append(x.problems, problem{Message: "must evaluate to another type than " + checked.OutputType().String()})
		return x
	}
	x.output = checked.OutputType()
	x.read(checkedTree(checked))
	program, err := env.Program(checked, watch(x))
	if err != nil {
		x.problems = append(x.problems, problem{Message: "program instantiation failed: " + err.Error()})
		return x
	}
	x.program = program
	return x
}

// read numbers the nodes of the tree.
func (x *expression) read(checked tree) {
	count := 0
	var visit func(e Expr, parent *node)
	visit = func(e Expr, parent *node) {
		n := &node{id: e.ID(), expr: e, enter: count, parent: parent, isBool: checked.typeOf(e.ID()).IsExactType(types.BoolType)}
		count++
		at := checked.start(e.ID())
		if e.Kind() == ast.ComprehensionKind { // what fails in the loop itself is its range
			at = checked.start(e.AsComprehension().IterRange().ID())
		}
		n.Line, n.Column, n.What = at.Line(), at.Column()+1, what(e)
		x.nodes[e.ID()] = n
		x.ordered = append(x.ordered, n)
		for _, child := range children(e) {
			visit(child, n)
		}
		n.leave = count
		count++
	}
	visit(checked.root, nil)
}

func what(e Expr) string {
	switch e.Kind() {
	case ast.SelectKind:
		if e.AsSelect().IsTestOnly() {
			return "has " + e.AsSelect().FieldName()
		}
		return "." + e.AsSelect().FieldName()
	case ast.CallKind:
		return e.AsCall().FunctionName()
	case ast.ComprehensionKind:
		return "comprehension"
	case ast.IdentKind:
		return e.AsIdent()
	case ast.StructKind:
		return structure
	}
	return ""
}

// declType is the type that a variable has for the expressions behind it.
func declType(t *cel.Type) *apiservercel.DeclType {
	if t == nil {
		return apiservercel.DynType
	}
	for _, d := range []*apiservercel.DeclType{
		apiservercel.BoolType, apiservercel.BytesType, apiservercel.DoubleType, apiservercel.DurationType, apiservercel.IntType,
		apiservercel.NullType, apiservercel.StringType, apiservercel.TimestampType, apiservercel.UintType,
	} {
		if t.IsExactType(d.CelType()) {
			return d
		}
	}
	switch parameters := t.Parameters(); {
	case t.Kind() == types.ListKind && len(parameters) == 1:
		return apiservercel.NewListType(declType(parameters[0]), -1)
	case t.Kind() == types.MapKind && len(parameters) == 2:
		return apiservercel.NewMapType(declType(parameters[0]), declType(parameters[1]), -1)
	}
	return apiservercel.DynType
}

// evaluate runs one expression under vars and says what came of it, and of an error where it arose.
func (x *expression) evaluate(vars map[string]any) (ref.Val, error, []*node) {
	t := newTrace(x)
	x.trace = t
	x.evaluated++
	val, _, err := x.program.Eval(vars)
	x.trace, x.last = nil, t.last
	x.anything, x.settled = t.maybeAnything(x.ordered[0].expr), t.settled(x.ordered[0].expr)
	if err == nil {
		x.count(val)
		return val, nil, nil
	}
	x.errors++
	if x.isCounted() {
		x.came[2]++
	}
	return nil, err, t.origins()
}

func (x *expression) count(val ref.Val) {
	if is, isBool := val.(types.Bool); isBool && x.isCounted() {
		x.came[boolIndex(is)]++
	}
}

// isCounted: nothing is by chance, and the API server refuses nothing of the object that the policy speaks of.
func (x *expression) isCounted() bool {
	s := x.session
	return !s.byChance && (s.isBefore || s.current == nil || !s.current.isRefused)
}

// speaksOf says whether one of the names is in an expression.
func (p *policy) speaksOf(names []string) bool {
	for _, name := range names {
		if name == "" || p.mentions.names[name] {
			return true
		}
	}
	return false
}

// variablesOf is what `variables` is in one round of evaluations: each is evaluated when it is first selected.
func (p *policy) variablesOf(vars map[string]any) *lazy.MapValue {
	p.session.broken, p.session.anything, p.session.settled = map[string][]*node{}, map[string]bool{}, map[string]bool{}
	values := lazy.NewMapValue(types.NewObjectType("kubernetes.variables"))
	for name, x := range p.variables {
		values.Append(name, func(*lazy.MapValue) ref.Val {
			if x.program == nil {
				return types.NewErr("composited variable %q fails to compile: %v", name, x.problems)
			}
			val, err, origins := x.evaluate(vars)
			p.session.anything[name], p.session.settled[name] = x.anything, x.settled
			if err != nil {
				p.session.broken[name] = origins
				return types.NewErr("composited variable %q fails to evaluate: %v", name, err)
			}
			return val
		})
	}
	return values
}

// outcome is what one evaluation of one expression gave, for those who compare.
type outcome struct {
	FieldRef string `json:"fieldRef"`
	Value    string `json:"value,omitempty"`
	Error    string `json:"error,omitempty"`
}

// surface counts errors that decide over the request.
func surface(origins []*node) {
	for _, origin := range origins {
		origin.Surfaced++
	}
}

// run evaluates an expression of the policy itself, and says where its error arose.
func (p *policy) run(x *expression, vars map[string]any, into *[]outcome) (ref.Val, []*node) {
	if x == nil || x.program == nil {
		return nil, nil
	}
	val, err, origins := x.evaluate(vars)
	o := outcome{FieldRef: x.fieldRef}
	if err != nil {
		o.Error = err.Error()
	} else {
		o.Value = strings.TrimSpace(fmt.Sprint(val.Value()))
	}
	*into = append(*into, o)
	return val, origins
}

// evaluate runs the policy on one request, in the order and with the gates of the API server.
func (p *policy) evaluate(r *request) []outcome {
	var outcomes []outcome
	if len(p.matchConditions) > 0 {
		vars := r.variables(nil, true)
		vars[plugincel.VariableVarName] = p.variablesOf(vars)
		matches, refused := true, false
		var origins []*node
		for _, x := range p.matchConditions {
			val, from := p.run(x, vars, &outcomes)
			matches = matches && val == types.True
			refused = refused || val == types.False
			origins = with(origins, from)
		}
		if !refused { // a false one wins over the others' errors
			surface(origins)
		}
		if !matches {
			return outcomes
		}
	}
	if len(p.mutations) > 0 {
		p.mutate(r, &outcomes)
		return outcomes
	}
	namespace := plugincel.CreateNamespaceObject(r.namespace)
	vars := r.variables(namespace, true)
	vars[plugincel.VariableVarName] = p.variablesOf(vars)
	denied := make([]bool, len(p.validations))
	for i, x := range p.validations {
		val, origins := p.run(x, vars, &outcomes)
		surface(origins)
		denied[i] = val == types.False
	}
	vars = r.variables(namespace, false)
	vars[plugincel.VariableVarName] = p.variablesOf(vars)
	for i, x := range p.messages {
		if denied[i] {
			_, origins := p.run(x, vars, &outcomes)
			surface(origins)
		}
	}
	vars = r.variables(r.namespace, true)
	vars[plugincel.VariableVarName] = p.variablesOf(vars)
	for _, x := range p.audits {
		_, origins := p.run(x, vars, &outcomes)
		surface(origins)
	}
	return outcomes
}
