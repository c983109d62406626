// unicode prints a table of typecheck/base: the classes of characters that Go's regexp knows, and the cases of
// letters, as this Go's package unicode has them. tests/support/unicode-table says how it is run.
package main

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// One behind the other, so that a letter alone, and LC, are neighbours.
var categories = []string{
	"Cc", "Cf", "Cn", "Co", "Cs", "Ll", "Lt", "Lu", "Lm", "Lo", "Mc", "Me", "Mn", "Nd", "Nl", "No",
	"Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs",
}

type span struct{ first, count, foldFirst, foldCount int }

var (
	ranges []string
	spans  = map[string]span{}
)

// Where the ranges of the table are then.
func addTable(t *unicode.RangeTable) (first, count int) {
	first = len(ranges)
	if t == nil {
		return first, 0
	}
	for _, r := range t.R16 {
		ranges = append(ranges, fmt.Sprintf("RANGE(0x%x, 0x%x, %d)", r.Lo, r.Hi, r.Stride))
	}
	for _, r := range t.R32 {
		ranges = append(ranges, fmt.Sprintf("RANGE(0x%x, 0x%x, %d)", r.Lo, r.Hi, r.Stride))
	}
	return first, len(ranges) - first
}

func size(t *unicode.RangeTable) (n int) {
	for _, r := range t.R16 {
		n += int(r.Hi-r.Lo)/int(r.Stride) + 1
	}
	for _, r := range t.R32 {
		n += int(r.Hi-r.Lo)/int(r.Stride) + 1
	}
	return n
}

// A class that is several neighbours.
func join(name string, has func(category string) bool) {
	s, runes := span{first: -1}, 0
	for _, c := range categories {
		if !has(c) {
			continue
		}
		if s.first < 0 {
			s.first = spans[c].first
		} else if s.first+s.count != spans[c].first {
			panic(name + " is not in one place")
		}
		s.count += spans[c].count
		runes += size(unicode.Categories[c])
	}
	if runes != size(unicode.Categories[name]) {
		panic(name + " has others")
	}
	spans[name] = s
}

// What (?i) adds to a class, which is not always all other cases of its letters: LC has none.
func addFolds() {
	names := []string{}
	for name := range spans {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t := unicode.FoldCategory[name]
		if t == nil {
			t = unicode.FoldScript[name]
		}
		s := spans[name]
		s.foldFirst, s.foldCount = addTable(t)
		spans[name] = s
	}
}

// As regexp/syntax looks names up.
func canonical(name string) string {
	name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)
	return strings.ToUpper(name[:1]) + strings.ToLower(name[1:])
}

func classes() {
	for _, c := range categories {
		first, count := addTable(unicode.Categories[c])
		spans[c] = span{first: first, count: count}
	}
	for name := range unicode.Categories {
		if len(name) == 1 {
			join(name, func(c string) bool { return c[:1] == name })
		}
	}
	join("LC", func(c string) bool { return c == "Ll" || c == "Lt" || c == "Lu" })
	scripts := []string{}
	for name := range unicode.Scripts {
		scripts = append(scripts, name)
	}
	sort.Strings(scripts)
	for _, name := range scripts {
		first, count := addTable(unicode.Scripts[name])
		spans[name] = span{first: first, count: count}
	}
	addFolds()
	if len(unicode.Categories) != len(categories)+8 {
		panic("there are other categories")
	}
	known := map[string]span{}
	for name, s := range spans {
		if canonical(name) == name || name == "LC" {
			known[canonical(name)] = s
		}
	}
	addAlias := func(alias, name string) {
		if _, ok := known[canonical(alias)]; !ok {
			known[canonical(alias)] = spans[name]
		}
	}
	for alias, name := range unicode.CategoryAliases {
		addAlias(alias, name)
	}
	if _, err := regexp.Compile(`\p{Old_Italic}`); err == nil { // since Go 1.27
		for _, name := range scripts {
			addAlias(name, name)
		}
	}
	names := []string{}
	for name := range known {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		s := known[name]
		put(fmt.Sprintf("CLASS(%q, %d, %d, %d, %d)", name, s.first, s.count, s.foldFirst, s.foldCount))
	}
	end()
}

type fold struct{ lo, hi, stride, delta rune }

func (f *fold) takes(r, delta rune) bool {
	gap := r - f.hi
	if f.delta != delta || !(gap == f.stride || f.lo == f.hi && gap <= 2) {
		return false
	}
	f.hi, f.stride = r, gap
	return true
}

// FOLD: of letters in steps of the stride, how far the next of the same letter in another case is.
func folds() {
	found := []*fold{}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		delta := unicode.SimpleFold(r) - r
		n := len(found)
		if delta == 0 || n > 0 && found[n-1].takes(r, delta) || n > 1 && found[n-2].takes(r, delta) {
			continue
		}
		found = append(found, &fold{r, r, 1, delta})
	}
	for _, f := range found {
		put(fmt.Sprintf("FOLD(0x%x, 0x%x, %d, %d)", f.lo, f.hi, f.stride, f.delta))
	}
	end()
}

// PRINTABLE: what strconv.Quote leaves as it is, from lo to hi.
func printable() {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		lo := r
		for r <= unicode.MaxRune && strconv.IsPrint(r) {
			r++
		}
		if r > lo {
			put(fmt.Sprintf("PRINTABLE(0x%x, 0x%x)", lo, r-1))
		}
	}
	end()
}

func main() {
	fmt.Printf("/* Unicode %s, as Go's package unicode has it; made by tests/support/unicode-table. */\n", unicode.Version)
	fmt.Println("#ifdef CLASS")
	classes()
	fmt.Println("#endif\n#ifdef RANGE")
	for _, r := range ranges {
		put(r)
	}
	end()
	fmt.Println("#endif\n#ifdef FOLD")
	folds()
	fmt.Println("#endif\n#ifdef PRINTABLE")
	printable()
	fmt.Println("#endif")
}
