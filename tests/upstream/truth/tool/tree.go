//go:build kubernetes1.31

package main

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Expr is a node of an expression.
type (
	Expr          = ast.Expr
	Comprehension = ast.ComprehensionExpr
)

// tree is a checked expression.
type tree struct {
	root   Expr
	typeOf func(id int64) *types.Type
	start  func(id int64) common.Location
}

func checkedTree(checked *cel.Ast) tree {
	native := checked.NativeRep()
	return tree{native.Expr(), native.GetType, native.SourceInfo().GetStartLocation}
}

func parsedTree(parsed *cel.Ast) Expr {
	return parsed.NativeRep().Expr()
}

// isOnTarget says whether the call is one on a target.
func isOnTarget(call Expr) bool {
	return call.AsCall().IsMemberFunction()
}

// structField is a field of a struct literal.
type structField struct {
	name  string
	value Expr
}

func structFields(e Expr) []structField {
	var all []structField
	for _, field := range e.AsStruct().Fields() {
		all = append(all, structField{field.AsStructField().Name(), field.AsStructField().Value()})
	}
	return all
}

func children(e Expr) []Expr {
	switch e.Kind() {
	case ast.SelectKind:
		return []Expr{e.AsSelect().Operand()}
	case ast.CallKind:
		call := e.AsCall()
		if isOnTarget(e) {
			return append([]Expr{call.Target()}, call.Args()...)
		}
		return call.Args()
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		var all []Expr
		for _, entry := range e.AsMap().Entries() {
			all = append(all, entry.AsMapEntry().Key(), entry.AsMapEntry().Value())
		}
		return all
	case ast.StructKind:
		var all []Expr
		for _, field := range structFields(e) {
			all = append(all, field.value)
		}
		return all
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		return []Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()}
	}
	return nil
}
