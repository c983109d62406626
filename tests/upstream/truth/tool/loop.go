//go:build kubernetes1.32

package main

// secondVariable is the name of a comprehension's value beside its key or index; "" where it has none.
func secondVariable(loop Comprehension) string {
	return loop.IterVar2()
}
