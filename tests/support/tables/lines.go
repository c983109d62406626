// lines.go prints the entries of a table, as many as a line has room for. It is a part of each of the two programs
// here, zones.go and unicode.go.
package main

import "fmt"

const lineWidth = 108

var width int // of the line so far

func put(entry string) {
	if width+len(entry) > lineWidth {
		fmt.Println()
		width = 0
	}
	if width > 0 {
		entry = " " + entry
	}
	fmt.Print(entry)
	width += len(entry)
}

// end ends a part of the table.
func end() {
	fmt.Println()
	width = 0
}
