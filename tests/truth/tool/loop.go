//go:build kubernetes1.32

package main

import "github.com/google/cel-go/common/ast"

// secondVariable is the name of a comprehension's value beside its key or index; "" where it has none.
func secondVariable(loop ast.ComprehensionExpr) string {
	return loop.IterVar2()
}
