package main

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// No conclusion rests on values, but objects made from a schema may all decide a
// guard alike: what a field is compared with is none of its enum's, Kubernetes
// defaults what the schema does not, no text at hand parses as an address. So
// where places fail on all objects, the requests are evaluated once more as if
// values were otherwise: a bool that values decide, and that came out the same
// on all objects, comes out by chance, and so does one that could not be told for
// an error that never counts. A place that passes then is none that always fails.
//
// What the type decides stays: kind, apiVersion and what the request says of
// them, null, types, fields that the schema cannot have or requires.

// otherwise evaluates the requests again, and counts only where they pass.
func (s *session) otherwise(requests []*request) {
	if !s.policy.alwaysFails() {
		return
	}
	real := map[*node][2]place{}
	applied := map[*expression]place{}
	for _, x := range s.policy.all {
		applied[x] = x.applied
		for _, n := range x.ordered {
			real[n] = [2]place{n.place, n.operand}
		}
	}
	evaluated, errors := s.policy.totals()
	s.byChance = true
	for _, r := range requests {
		s.run(r)
	}
	s.byChance = false
	for n, was := range real {
		passes := n.passes()
		n.place, n.operand = was[0], was[1]
		n.Otherwise = passes
	}
	for i, x := range s.policy.all {
		x.evaluated, x.errors = evaluated[i], errors[i]
		passes := x.applied.passes()
		x.applied = applied[x]
		x.applied.Otherwise = passes - x.applied.passes()
	}
}

func (p *policy) totals() (evaluated, errors []int) {
	for _, x := range p.all {
		evaluated, errors = append(evaluated, x.evaluated), append(errors, x.errors)
	}
	return evaluated, errors
}

func (p *policy) alwaysFails() bool {
	for _, x := range p.all {
		if x.applied.Reached > 0 && x.applied.passes() == 0 {
			return true
		}
		for _, n := range x.ordered {
			if n.Reached > 0 && n.passes() == 0 {
				return true
			}
		}
	}
	return false
}

func (p *place) passes() int { return p.Reached - p.Failed - p.Other - p.Unequal - p.Variable }

// decide is val, or another bool where values could be otherwise.
func (t *trace) decide(id int64, val ref.Val) ref.Val {
	n := t.of.nodes[id]
	if n == nil || !t.isByValue(n, val) {
		return val
	}
	if is, isBool := val.(types.Bool); isBool && !t.of.session.byChance {
		n.came[boolIndex(is)] = true
	}
	if !t.of.session.byChance || n.came[0] && n.came[1] {
		return val
	}
	t.take(n)
	chosen := types.Bool(t.of.session.random.Intn(2) == 1)
	t.last[id] = chosen
	return chosen
}

func boolIndex(b types.Bool) int {
	if b {
		return 1
	}
	return 0
}

// isByValue: val is a bool, or an error that never counts in the place of one, and no type decides it.
func (t *trace) isByValue(n *node, val ref.Val) bool {
	switch n.expr.Kind() {
	case ast.CallKind:
		switch n.expr.AsCall().FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional, operators.NotStrictlyFalse:
			return false
		}
	case ast.SelectKind:
	default:
		return false
	}
	switch val.(type) {
	case types.Bool:
		return !t.isVariable(n.expr) && !t.settled(n.expr) && !t.decidedByType(n)
	case *types.Err:
		return n.isBool && t.isByChance(n)
	}
	return false
}

// isByChance: what is under way at n are errors that never count.
func (t *trace) isByChance(n *node) bool {
	found := false
	for at, origins := range t.pending {
		if !n.holds(at) {
			continue
		}
		for _, origin := range origins {
			found = true
			if !origin.never {
				return false
			}
		}
	}
	return found
}

// isVariable: its expression has decided already.
func (t *trace) isVariable(e Expr) bool {
	operand := operandOf(e)
	return operand != nil && operand.Kind() == ast.IdentKind && operand.AsIdent() == "variables"
}

// decidedByType: a comparison with null, or of what is never equal.
func (t *trace) decidedByType(n *node) bool {
	if !isComparison(n.expr) {
		return false
	}
	args := n.expr.AsCall().Args()
	one, other := t.kind(args[0]), t.kind(args[1])
	switch n.expr.AsCall().FunctionName() {
	case operators.In, operators.OldIn:
		never, _ := t.neverIn(args[0], args[1])
		return never || one == "null" || t.isFixedKey(t.valueOf(args[0]), t.valueOf(args[1]))
	}
	return one == "null" || other == "null" || neverEqual(one, other)
}

// isFixedKey: the schema of the map says whether it has the key.
func (t *trace) isFixedKey(key, of ref.Val) bool {
	name, isName := key.(types.String)
	schema, is := t.of.session.tags.of(of)
	return is && isName && schema.isFixed(string(name))
}

// settled: nothing but the type, the way in which it comes and literals decide what e is.
func (t *trace) settled(e Expr) bool {
	switch e.Kind() {
	case ast.LiteralKind:
		return true
	case ast.IdentKind:
		loop, of := t.loopOf(e)
		if loop == nil {
			return typeNames[e.AsIdent()]
		}
		return of && t.settled(loop.IterRange())
	case ast.ComprehensionKind:
		return false
	}
	if isSelection(e) && (t.fixed[e.ID()] || isOfTheRequest(e)) {
		return true
	}
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "type" {
		return true
	}
	for _, child := range children(e) {
		if !t.settled(child) {
			return false
		}
	}
	return true
}

var typeNames = map[string]bool{
	"bool": true, "bytes": true, "double": true, "int": true, "list": true, "map": true, "null_type": true,
	"string": true, "type": true, "uint": true,
}

// isOfTheRequest: object.kind, request.operation, request.resource.group ...
func isOfTheRequest(e Expr) bool {
	for e.Kind() == ast.SelectKind {
		field, operand := e.AsSelect().FieldName(), e.AsSelect().Operand()
		if operand.Kind() == ast.IdentKind {
			switch operand.AsIdent() {
			case "object", "oldObject":
				return field == "kind" || field == "apiVersion"
			case "request":
				switch field {
				case "kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource", "operation":
					return true
				}
			}
			return false
		}
		e = operand
	}
	return false
}

// loopOf finds the comprehension whose variable the identifier is; false: its accumulator.
func (t *trace) loopOf(e Expr) (loop Comprehension, isElement bool) {
	name := e.AsIdent()
	from := t.of.nodes[e.ID()]
	if from == nil {
		return nil, false
	}
	for n := from.parent; n != nil; from, n = n, n.parent {
		if n.expr.Kind() != ast.ComprehensionKind {
			continue
		}
		loop := n.expr.AsComprehension()
		if loop.IterRange().ID() == from.id {
			continue // where the loop's variables are not known yet
		}
		if loop.AccuVar() == name {
			return loop, false
		}
		if loop.IterVar() == name || secondVariable(loop) == name {
			return loop, true
		}
	}
	return nil, false
}
