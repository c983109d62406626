//go:build !kubernetes1.32

package main

import "github.com/google/cel-go/common/ast"

// No comprehension had two variables.
func secondVariable(ast.ComprehensionExpr) string {
	return ""
}
