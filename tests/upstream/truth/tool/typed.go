//go:build kubernetes1.37

package main

import (
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiserver/pkg/cel/common"
)

// Since 1.37 expressions see the Go value of a built-in kind, through reflection.
func init() {
	clearsAllCreated = true
	typedValue = func(o any) ref.Val { return common.SchemalessTypedToVal(o) }
}
