//go:build !kubernetes1.32

package main

// No comprehension had two variables.
func secondVariable(Comprehension) string {
	return ""
}
