package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/lazy"
)

// What evaluation did at each place of an expression, found by watching cel-go's
// own interpreter: a decorator puts a watcher around every step and every
// selection, so that nothing of its semantics is repeated here.
//
// An error belongs to the place where it arises: the one none of whose operands
// has failed. From there it climbs; || and && may absorb it. So each trace keeps
// the errors that are under way by the node that they have reached.

// A place is a node of an expression's tree and what happened there over all objects.
type place struct {
	Line      int    `json:"line"`   // as CEL's messages count: from 1
	Column    int    `json:"column"` // likewise
	What      string `json:"what"`   // the field or the function
	Reached   int    `json:"reached"`
	Failed    int    `json:"failed,omitempty"`    // errors of the counted classes
	Other     int    `json:"other,omitempty"`     // errors that never count: a missing map key, an index, a parse failure
	Unequal   int    `json:"unequal,omitempty"`   // operands of types that are never equal
	Alone     int    `json:"alone,omitempty"`     // those that evaluation came to past no failure
	Silent    int    `json:"silent,omitempty"`    // comparisons that say nothing about types; not in reached
	Variable  int    `json:"variable,omitempty"`  // failed because a variable did: counted at the variable
	Surfaced  int    `json:"surfaced,omitempty"`  // failures that nothing absorbed
	Otherwise int    `json:"otherwise,omitempty"` // passes if values were otherwise (otherwise.go)
	Applied   int    `json:"applied,omitempty"`   // an Object{...} or JSONPatch{...}: the mutation's result could be applied
	Refused   int    `json:"refused,omitempty"`   // likewise: it could not
	True      int    `json:"true,omitempty"`      // it was so; this and the next: a bool, or whether there is what is selected,
	False     int    `json:"false,omitempty"`     // of objects that the API server does not refuse for it (valid.go)
	Values    int    `json:"values,omitempty"`    // different values of what is selected, counted up to two; maps and lists are one
	Value     string `json:"value,omitempty"`     // if there is one
	Error     string `json:"error,omitempty"`     // a sample, the last
	Passes    string `json:"passes,omitempty"`    // an object that passes, with -examples
	Fails     string `json:"fails,omitempty"`     // one that does not
}

// node is a place's position in the tree: enter..leave of a descendant lie within.
type node struct {
	place
	operand      place // of && or ||: whether it is a bool
	id           int64
	enter, leave int
	expr         Expr
	parent       *node
	isBool       bool    // to the compiler
	never        bool    // its last failure was one that never counts
	came         [2]bool // whether it was false, and true, on some object
}

func (n *node) holds(other *node) bool { return n.enter <= other.enter && other.leave <= n.leave }

// trace watches one evaluation of one expression.
type trace struct {
	of      *expression
	pending map[*node][]*node // error that has reached the key -> where it arose, in whatever expression
	last    map[int64]ref.Val
	open    map[int64]bool // selections whose value may be anything, for what the schema says
	fixed   map[int64]bool // selections of what the schema cannot have, or requires: whether it is there is known
}

func newTrace(of *expression) *trace {
	return &trace{of: of, pending: map[*node][]*node{}, last: map[int64]ref.Val{}, open: map[int64]bool{}, fixed: map[int64]bool{}}
}

// take ends what is under way at or below n, and says where that arose.
func (t *trace) take(n *node) []*node {
	var origins []*node
	for at, from := range t.pending {
		if n.holds(at) {
			origins = with(origins, from)
			delete(t.pending, at)
		}
	}
	return origins
}

func (t *trace) origins() []*node {
	var origins []*node
	for _, from := range t.pending {
		origins = with(origins, from)
	}
	return origins
}

// with adds what is not there yet.
func with(origins, more []*node) []*node {
	for _, n := range more {
		if !slices.Contains(origins, n) {
			origins = append(origins, n)
		}
	}
	return origins
}

// fail notes an error that arises at n.
func (t *trace) fail(n *node, text string, counts bool) {
	n.Reached++
	n.Error = text
	n.never = !counts || t.operandsMaybeAnything(n)
	if !n.never {
		n.Failed++
	} else {
		n.Other++
	}
	t.of.session.example(&n.Fails)
	t.pending[n] = []*node{n}
}

func (t *trace) pass(n *node) {
	n.Reached++
	if !isComparison(n.expr) {
		t.of.session.example(&n.Passes)
	}
}

func isComparison(e Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	switch e.AsCall().FunctionName() {
	case operators.Equals, operators.NotEquals, operators.In, operators.OldIn:
		return true
	}
	return false
}

// maybeAnything: a value in n's operands is not bound by a schema, so that its type is chance.
func (t *trace) maybeAnything(e Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		name := e.AsIdent()
		from := t.of.nodes[e.ID()]
		for n := from; n != nil; n = n.parent {
			if n.expr.Kind() != ast.ComprehensionKind {
				from = n
				continue
			}
			loop := n.expr.AsComprehension()
			if inRange := loop.IterRange().ID() == from.id; inRange {
				from = n
				continue // where the loop's variables are not known yet
			}
			from = n
			if loop.AccuVar() == name {
				return false
			}
			if loop.IterVar() == name || secondVariable(loop) == name {
				return t.maybeAnything(loop.IterRange())
			}
		}
		return name == plugincel.ParamsVarName && t.of.session.paramSchema == nil
	case ast.SelectKind:
		return t.open[e.ID()]
	}
	if isSelection(e) {
		return t.open[e.ID()]
	}
	for _, child := range children(e) {
		if t.maybeAnything(child) {
			return true
		}
	}
	return false
}

func (t *trace) operandsMaybeAnything(n *node) bool {
	if n.expr.Kind() == ast.ComprehensionKind {
		return t.maybeAnything(n.expr.AsComprehension().IterRange())
	}
	for _, child := range children(n.expr) {
		if t.maybeAnything(child) {
			return true
		}
	}
	return false
}

// cameTrue counts what a bool was, at its node; of a comparison also at operands that are literals, of `in` at the
// elements of its list.
func (t *trace) cameTrue(n *node, is bool) {
	if !t.of.isCounted() {
		return
	}
	if is {
		n.True++
	} else {
		n.False++
	}
}

func (t *trace) outcome(n *node, val ref.Val) {
	is, isBool := val.(types.Bool)
	if !isBool {
		return
	}
	t.cameTrue(n, is == types.True)
	if !isComparison(n.expr) {
		return
	}
	args := n.expr.AsCall().Args()
	for _, arg := range args {
		if literal := t.of.nodes[arg.ID()]; literal != nil && arg.Kind() == ast.LiteralKind {
			literal.Reached++
			t.cameTrue(literal, is == types.True)
		}
	}
	if hay := args[1]; hay.Kind() == ast.ListKind {
		needle := t.valueOf(args[0])
		for _, element := range hay.AsList().Elements() {
			literal := t.of.nodes[element.ID()]
			if literal == nil || element.Kind() != ast.LiteralKind || needle == nil {
				continue
			}
			literal.Reached++
			t.cameTrue(literal, needle.Equal(element.AsLiteral()) == types.True)
		}
	}
}

// present is told whether there is what was selected, and what it is.
func (t *trace) present(id int64, out any, is bool) {
	n := t.of.nodes[id]
	if n == nil || t.of.session.byChance {
		return
	}
	switch {
	case n.expr.Kind() == ast.SelectKind && n.expr.AsSelect().IsTestOnly(): // a selection that gives a bool
		t.cameTrue(n, is && (out == true || out == types.True))
		return
	case n.expr.Kind() == ast.CallKind && n.expr.AsCall().FunctionName() != operators.Index:
		t.cameTrue(n, is)
	}
	value := "none"
	if is {
		value = "a map or list"
		switch v := out.(type) {
		case types.Bool, types.Int, types.Uint, types.Double, types.String, types.Null, bool, int64, float64, string, nil:
			value = fmt.Sprintf("= %.40v", v)
		}
	}
	switch {
	case n.Values == 0:
		n.Values, n.Value = 1, value
	case value != n.Value:
		n.Values = 2
	}
}

// value is told what a step has evaluated to.
func (t *trace) value(id int64, val ref.Val) {
	t.last[id] = val
	n := t.of.nodes[id]
	if n == nil {
		return
	}
	if !isSelection(n.expr) {
		t.outcome(n, val)
	}
	err, failed := val.(*types.Err)
	if !failed && n.parent != nil && isLogic(n.parent.expr) {
		t.operand(n, val)
	}
	switch {
	case n.expr.Kind() == ast.IdentKind:
		// An accumulator that holds an error; it has arisen in the loop.
		if from := t.origins(); failed && len(from) > 0 {
			t.pending[n] = from
		}
	case n.expr.Kind() == ast.LiteralKind:
	case isSelection(n.expr):
		// Its own success or failure was seen by the selection's watcher.
		if failed && !t.underWay(n) {
			t.fail(t.conditional(n), err.Error(), countsCall(n, err.Error()))
		}
	default:
		from := t.takeFirst(n)
		switch {
		case !failed:
			t.pass(n)
			if isComparison(n.expr) {
				t.compare(n)
			}
		case len(from) > 0:
			t.pending[n] = from
		default:
			blamed := t.conditional(n)
			t.fail(blamed, err.Error(), countsCall(blamed, err.Error()) && (isConstant(blamed.expr) || !t.looksInside(blamed)))
		}
	}
}

// operand notes one of && or ||, which fail for what is no bool unless the other side decides.
func (t *trace) operand(n *node, val ref.Val) {
	n.operand.Reached++
	switch _, isBool := val.(types.Bool); {
	case isBool:
		t.of.session.example(&n.operand.Passes)
	case t.maybeAnything(n.expr):
		n.operand.Other++
	default:
		n.operand.Failed++
		n.operand.Error = "no such overload"
	}
}

func isLogic(e Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	name := e.AsCall().FunctionName()
	return name == operators.LogicalAnd || name == operators.LogicalOr
}

// takeFirst is take; but of two failed operands, && and || give the first one's error.
func (t *trace) takeFirst(n *node) []*node {
	if isLogic(n.expr) {
		first := t.take(t.of.nodes[n.expr.AsCall().Args()[0].ID()])
		if second := t.take(n); len(first) == 0 {
			return second
		}
		return first
	}
	return t.take(n)
}

func (t *trace) underWay(n *node) bool {
	for at := range t.pending {
		if n.holds(at) {
			return true
		}
	}
	return false
}

// selected is told what one selection from obj gave: a field, an index, has().
func (t *trace) selected(id int64, key ref.Val, obj, out any, err error) {
	n := t.of.nodes[id]
	if n == nil {
		return
	}
	if _, failed := obj.(*types.Err); failed {
		return // a variable that failed, and was told about where it was selected
	}
	if failed, is := out.(*types.Err); is && err == nil {
		err = failed
	}
	if err == nil {
		t.take(n)
		t.pass(n)
		t.open[id] = t.selectsAnything(n, key, obj)
		t.fixed[id] = t.selectsFixed(n, key, obj)
		return
	}
	if from := t.take(n); len(from) > 0 {
		t.pending[n] = from // the index expression's
		return
	}
	if _, is := obj.(*lazy.MapValue); is && key != nil {
		name, _ := key.Value().(string)
		if from := t.of.session.broken[name]; len(from) > 0 {
			n.Reached++
			n.Variable++
			n.Error = err.Error()
			t.pending[n] = from
			return
		}
	}
	t.fail(n, err.Error(), t.countsSelection(n, key, obj, err.Error()))
}

// selectsAnything: what was selected from obj is not bound by a schema.
func (t *trace) selectsAnything(n *node, key ref.Val, obj any) bool {
	if _, is := obj.(*lazy.MapValue); is && key != nil {
		name, _ := key.Value().(string)
		return t.of.session.anything[name]
	}
	schema, is := t.of.session.tags.of(obj)
	if !is || key == nil {
		return t.maybeAnything(operandOf(n.expr))
	}
	name, _ := key.Value().(string)
	return schema.isAnything(name)
}

// selectsFixed: the schema says whether there is what was asked for, or it is missing since the operand is.
func (t *trace) selectsFixed(n *node, key ref.Val, obj any) bool {
	if _, is := obj.(*lazy.MapValue); is && key != nil {
		name, _ := key.Value().(string)
		return t.of.session.settled[name]
	}
	if schema, is := t.of.session.tags.of(obj); is && key != nil {
		name, _ := key.Value().(string)
		presence := n.expr.Kind() == ast.SelectKind && n.expr.AsSelect().IsTestOnly()
		return schema.cannotHave(name) || presence && schema.isFixed(name)
	}
	operand := operandOf(n.expr)
	return t.fixed[operand.ID()] || isNull(obj) && isRoot(operand)
}

// isRoot: what the operation makes null.
func isRoot(e Expr) bool {
	if e == nil || e.Kind() != ast.IdentKind {
		return false
	}
	name := e.AsIdent()
	return name == "object" || name == "oldObject" || name == "namespaceObject"
}

// countsSelection: is it a name that the schema cannot have, or a null that the
// operation fixes, or a value that has no fields?
func (t *trace) countsSelection(n *node, key ref.Val, obj any, text string) bool {
	if isPastOptional(operandOf(n.expr)) {
		return false // where there is none, it passes
	}
	if isNull(obj) {
		return isRoot(operandOf(n.expr))
	}
	if schema, is := t.of.session.tags.of(obj); is {
		name, named := "", false
		if key != nil {
			name, named = key.Value().(string)
		}
		if named && strings.HasPrefix(text, "no such key") {
			return schema.cannotHave(name)
		}
	}
	return countsCall(n, text)
}

// isPastOptional: e selects optionally, or from what does.
func isPastOptional(e Expr) bool {
	for ; e != nil; e = operandOf(e) {
		if e.Kind() == ast.CallKind && isSelection(e) && e.AsCall().FunctionName() != operators.Index {
			return true
		}
	}
	return false
}

// countsCall: the message is of an operation that these types do not have.
func countsCall(n *node, text string) bool {
	for _, part := range []string{"no such overload", "expected iterable type", "unsupported index type", "unsupported map key type", "invalid qualifier type", "unsupported conversion"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	if strings.Contains(text, "by zero") && n.expr.Kind() == ast.CallKind {
		args := n.expr.AsCall().Args()
		return len(args) == 2 && args[1].Kind() == ast.LiteralKind
	}
	return isConstant(n.expr)
}

// isConstant: nothing but literals is in it, so that it fails on every object if it does on one.
func isConstant(e Expr) bool {
	switch e.Kind() {
	case ast.IdentKind, ast.ComprehensionKind:
		return false
	}
	for _, child := range children(e) {
		if !isConstant(child) {
			return false
		}
	}
	return true
}

// looksInside: the function says "no such overload" of what its operand holds: an address that
// does not parse, elements that do not compare, which an empty list would not have.
func (t *trace) looksInside(n *node) bool {
	if n.expr.Kind() != ast.CallKind {
		return false
	}
	call := n.expr.AsCall()
	switch call.FunctionName() {
	case "containsIP", "containsCIDR":
		return len(call.Args()) == 1 && t.kind(call.Args()[0]) == "string"
	case "isSorted", "sum", "min", "max", "sort", "join", "@sortByAssociatedKeys":
		return isOnTarget(n.expr) && t.kind(call.Target()) == "list"
	}
	return false
}

// conditional finds the ?: whose condition is no bool, for cel-go evaluates a
// conditional below a selection or another conditional without its own step.
func (t *trace) conditional(n *node) *node {
	for expr := n.expr; expr != nil; {
		if expr.Kind() == ast.CallKind && expr.AsCall().FunctionName() == operators.Conditional {
			args := expr.AsCall().Args()
			condition, seen := t.last[args[0].ID()]
			value, isBool := condition.(types.Bool)
			if !seen || !isBool {
				if found := t.of.nodes[expr.ID()]; found != nil {
					return found
				}
				return n
			}
			expr = args[2]
			if value == types.True {
				expr = args[1]
			}
			continue
		}
		if !isSelection(expr) {
			break
		}
		expr = operandOf(expr)
	}
	return n
}

// compare notes a comparison of what can never be equal. A null that is there by
// chance, a list that is empty, a value that may be anything say nothing about types:
// as if it had not been evaluated.
func (t *trace) compare(n *node) {
	call := n.expr.AsCall()
	var never, silent bool
	switch call.FunctionName() {
	case operators.Equals, operators.NotEquals:
		one, other := call.Args()[0], call.Args()[1]
		never = neverEqual(t.kind(one), t.kind(other))
		silent = (t.kind(one) == "null") != (t.kind(other) == "null") && !isNullLiteral(one) && !isNullLiteral(other)
	case operators.In, operators.OldIn:
		never, silent = t.neverIn(call.Args()[0], call.Args()[1])
	}
	switch {
	case silent, never && (t.operandsMaybeAnything(n) || t.mixed(n)):
		n.Reached--
		n.Silent++
	case never:
		n.Unequal++
		if len(t.pending) == 0 {
			n.Alone++
		}
		t.of.session.example(&n.Fails)
	default:
		t.of.session.example(&n.Passes)
	}
}

// mixed: an operand is an element of a sum of lists, which may have several types;
// which of them gets here is chance.
func (t *trace) mixed(n *node) bool {
	for _, operand := range children(n.expr) {
		if operand.Kind() != ast.IdentKind {
			continue
		}
		for up := n; up != nil; up = up.parent {
			if up.expr.Kind() != ast.ComprehensionKind {
				continue
			}
			loop := up.expr.AsComprehension()
			sum := loop.IterRange().Kind() == ast.CallKind && loop.IterRange().AsCall().FunctionName() == operators.Add
			if sum && (loop.IterVar() == operand.AsIdent() || secondVariable(loop) == operand.AsIdent()) {
				return true
			}
		}
	}
	return false
}

func isNullLiteral(e Expr) bool { return e.Kind() == ast.LiteralKind && isNull(e.AsLiteral()) }

func (t *trace) neverIn(needle, hay Expr) (never, silent bool) {
	kind := t.kind(needle)
	var kinds []string
	add := func(e Expr) {
		if of := t.kind(e); of != "null" || isNullLiteral(e) {
			kinds = append(kinds, of)
		} else {
			silent = true // a null by chance
		}
	}
	switch hay.Kind() {
	case ast.ListKind:
		for _, element := range hay.AsList().Elements() {
			add(element)
		}
	case ast.MapKind:
		for i, part := range children(hay) { // a key, its value
			if i%2 == 0 {
				add(part)
			}
		}
	default:
		switch value := t.valueOf(hay).(type) {
		case nil:
			silent = true
		case traits.Mapper:
			if _, is := t.of.session.tags.of(value); is {
				kinds = []string{"string"} // JSON's
				break
			}
			for it := value.Iterator(); it.HasNext() == types.True; {
				kinds = append(kinds, kindOf(it.Next()))
			}
			silent = len(kinds) == 0
		case traits.Lister:
			for it := value.Iterator(); it.HasNext() == types.True; {
				if element := kindOf(it.Next()); element != "null" || isNullLiteral(needle) {
					kinds = append(kinds, element)
				}
			}
			silent = len(kinds) == 0
		}
	}
	for _, other := range kinds {
		if !neverEqual(kind, other) {
			return false, silent || kind == "null" && other != "null"
		}
	}
	return len(kinds) > 0, silent
}

func neverEqual(a, b string) bool { return a != b && a != "null" && b != "null" && a != "" && b != "" }

// kind is the run-time type of what expr has just evaluated to, as equality tells types apart.
func (t *trace) kind(expr Expr) string {
	switch expr.Kind() {
	case ast.LiteralKind:
		return kindOf(expr.AsLiteral())
	case ast.ListKind:
		return "list"
	case ast.MapKind:
		return "map"
	}
	if value := t.valueOf(expr); value != nil {
		return kindOf(value)
	}
	return ""
}

// valueOf is what expr has just evaluated to; a conditional that cel-go evaluates without its own step, as its branch.
func (t *trace) valueOf(expr Expr) ref.Val {
	if value, seen := t.last[expr.ID()]; seen {
		return value
	}
	switch {
	case expr.Kind() == ast.LiteralKind:
		return expr.AsLiteral()
	case expr.Kind() == ast.CallKind && expr.AsCall().FunctionName() == operators.Conditional:
		args := expr.AsCall().Args()
		switch t.last[args[0].ID()] {
		case types.True:
			return t.valueOf(args[1])
		case types.False:
			return t.valueOf(args[2])
		}
	}
	return nil
}

func kindOf(value ref.Val) string {
	switch value.(type) {
	case types.Int, types.Uint, types.Double:
		return "number"
	case types.Null:
		return "null"
	case *types.Optional:
		return "optional"
	case traits.Mapper:
		return "map"
	case traits.Lister:
		return "list"
	}
	return value.Type().TypeName()
}

func isNull(obj any) bool {
	_, null := obj.(types.Null)
	return obj == nil || null
}

// isSelection: a.b, has(a.b), a[b], a.?b, a[?b].
func isSelection(expr Expr) bool {
	switch expr.Kind() {
	case ast.SelectKind:
		return true
	case ast.CallKind:
		switch expr.AsCall().FunctionName() {
		case operators.Index, operators.OptIndex, operators.OptSelect:
			return true
		}
	}
	return false
}

func operandOf(expr Expr) Expr {
	switch {
	case expr.Kind() == ast.SelectKind:
		return expr.AsSelect().Operand()
	case isSelection(expr):
		return expr.AsCall().Args()[0]
	}
	return nil
}

// The watchers.

// watch is the decorator for an expression's program.
func watch(of *expression) cel.ProgramOption {
	return cel.CustomDecorator(func(i interpreter.Interpretable) (interpreter.Interpretable, error) {
		switch step := i.(type) {
		case *watchedStep, *watchedAttribute, interpreter.InterpretableConst:
			return i, nil
		case interpreter.InterpretableConstructor:
			if made := step.Type(); made == types.ListType || made == types.MapType {
				return i, nil
			}
		case interpreter.InterpretableAttribute:
			return &watchedAttribute{InterpretableAttribute: step, of: of}, nil
		}
		return &watchedStep{Interpretable: i, of: of}, nil
	})
}

// watchedStep hides that a step is a call, so that `in` a constant list is not
// made into a set look-up that evaluates without it.
type watchedStep struct {
	interpreter.Interpretable
	of *expression
}

func (w *watchedStep) Eval(vars interpreter.Activation) ref.Val {
	val := w.Interpretable.Eval(vars)
	if w.of.trace != nil {
		w.of.trace.value(w.ID(), val)
		return w.of.trace.decide(w.ID(), val)
	}
	return val
}

type watchedAttribute struct {
	interpreter.InterpretableAttribute
	of *expression
}

func (w *watchedAttribute) Eval(vars interpreter.Activation) ref.Val {
	val := w.InterpretableAttribute.Eval(vars)
	if w.of.trace != nil {
		w.of.trace.value(w.ID(), val)
		return w.of.trace.decide(w.ID(), val)
	}
	return val
}

func (w *watchedAttribute) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	plain := &watchedQualifier{Qualifier: q, of: w.of}
	if constant, is := q.(interpreter.ConstantQualifier); is {
		plain.key = constant.Value()
		q = &watchedConstant{watchedQualifier: plain}
	} else {
		q = plain
	}
	_, err := w.InterpretableAttribute.AddQualifier(q)
	return w, err
}

type watchedQualifier struct {
	interpreter.Qualifier
	of  *expression
	key ref.Val
}

func (w *watchedQualifier) Qualify(vars interpreter.Activation, obj any) (any, error) {
	out, err := w.Qualifier.Qualify(vars, obj)
	if w.of.trace != nil {
		w.of.trace.present(w.ID(), out, err == nil)
		w.of.trace.selected(w.ID(), w.key, obj, out, err)
	}
	return out, err
}

func (w *watchedQualifier) QualifyIfPresent(vars interpreter.Activation, obj any, only bool) (any, bool, error) {
	out, present, err := w.Qualifier.QualifyIfPresent(vars, obj, only)
	if w.of.trace != nil {
		w.of.trace.present(w.ID(), out, err == nil && present)
		w.of.trace.selected(w.ID(), w.key, obj, out, err)
	}
	return out, present, err
}

type watchedConstant struct{ *watchedQualifier }

func (w *watchedConstant) Value() ref.Val { return w.key }
