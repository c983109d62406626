//go:build !kubernetes1.31

package main

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Expr is a node of an expression.
type (
	Expr          = ast.NavigableExpr
	Comprehension = ast.NavigableComprehensionExpr
)

// tree is a checked expression.
type tree struct {
	root   Expr
	typeOf func(id int64) *types.Type
	start  func(id int64) common.Location
}

func checkedTree(checked *cel.Ast) tree {
	wire, err := cel.AstToCheckedExpr(checked)
	if err != nil {
		panic(err) // of what was just checked
	}
	read, err := ast.CheckedExprToCheckedAST(wire)
	if err != nil {
		panic(err)
	}
	typeOf := func(id int64) *types.Type {
		if t, found := read.TypeMap[id]; found {
			return t
		}
		return types.DynType
	}
	start := func(id int64) common.Location {
		if offset, found := checked.SourceInfo().GetPositions()[id]; found {
			if at, found := checked.Source().OffsetLocation(offset); found {
				return at
			}
		}
		return common.NoLocation
	}
	return tree{ast.NavigateCheckedAST(read), typeOf, start}
}

func parsedTree(parsed *cel.Ast) Expr {
	return ast.NavigateCheckedAST(&ast.CheckedAST{Expr: parsed.Expr()})
}

// isOnTarget says whether the call is one on a target.
func isOnTarget(call Expr) bool {
	return call.AsCall().Target() != nil
}

// structField is a field of a struct literal.
type structField struct {
	name  string
	value Expr
}

func structFields(e Expr) []structField {
	var all []structField
	for _, field := range e.AsStruct().Fields() {
		all = append(all, structField{field.FieldName(), field.Value()})
	}
	return all
}

func children(e Expr) []Expr {
	return e.Children()
}
