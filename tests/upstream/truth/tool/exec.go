//go:build kubernetes1.37

package main

import (
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Exec is what cel-go calls since 0.29 of what has it, as each attribute does; Eval is called of steps alone.
func (w *watchedAttribute) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	val := w.InterpretableAttribute.Exec(frame)
	if w.of.trace != nil {
		w.of.trace.value(w.ID(), val)
		return w.of.trace.decide(w.ID(), val)
	}
	return val
}
