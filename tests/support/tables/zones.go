// zones prints typecheck/golang/zones.def: the time zones that the lib/time/zoneinfo.zip of two releases of Go have.
// tests/support/zone-table says how it is run.
package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type change struct{ when, offset int64 }

type zone struct {
	name    string
	first   int64 // the offset before all changes
	changes []change
	rule    string // of the time after the last change
	start   int    // in the list of all changes
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// RFC 8536: what stands in the second half of a file.
func read(name string, data []byte) zone {
	counts := func(at int) (n [6]int) {
		for i := range n {
			n[i] = int(binary.BigEndian.Uint32(data[at+20+4*i:]))
		}
		return n
	}
	const header, isUT, isStd, leap, times, types, chars = 44, 0, 1, 2, 3, 4, 5
	n := counts(0)
	second := header + n[times]*5 + n[types]*6 + n[chars] + n[leap]*8 + n[isStd] + n[isUT]
	n = counts(second)
	whens := second + header
	indexes := whens + n[times]*8
	offsets := indexes + n[times]
	footer := offsets + n[types]*6 + n[chars] + n[leap]*12 + n[isStd] + n[isUT]
	z := zone{name: name, rule: strings.Trim(string(data[footer:]), "\n")}
	_, first := time.Unix(-1<<40, 0).In(must(time.LoadLocationFromTZData(name, data))).Zone()
	z.first = int64(first)
	before := z.first
	for i := 0; i < n[times]; i++ {
		offset := int64(int32(binary.BigEndian.Uint32(data[offsets+6*int(data[indexes+i]):])))
		when := int64(binary.BigEndian.Uint64(data[whens+8*i:]))
		if offset != before || i == n[times]-1 { // the rule begins at the last one
			z.changes = append(z.changes, change{when, offset})
		}
		before = offset
	}
	return z
}

func seconds(clock string, otherwise int) int {
	if clock == "" {
		return otherwise
	}
	sign, total := 1, 0
	if clock[0] == '-' {
		sign = -1
	}
	for i, part := range strings.Split(strings.TrimLeft(clock, "+-"), ":") {
		total += must(strconv.Atoi(part)) * []int{3600, 60, 1}[i]
	}
	return sign * total
}

const abbreviation, hours = `(?:[A-Za-z]+|<[^>]*>)`, `([-+]?[0-9:]+)`
const day = `,M(\d+)\.(\d)\.(\d)(?:/` + hours + `)?`

var posix = regexp.MustCompile(`^` + abbreviation + hours + `(?:` + abbreviation + hours + `?` + day + day + `)?$`)

// RULE: the two offsets, and when each year the second one begins and ends. The other forms of rules are not used.
func rule(text string) string {
	m := posix.FindStringSubmatch(text)
	if m == nil {
		panic("a rule of another form: " + text)
	}
	offset := -seconds(m[1], 0)
	if m[3] == "" {
		return fmt.Sprintf("RULE(%d, %d, 0, 0, 0, 0, 0, 0, 0, 0)", offset, offset)
	}
	const two = 2 * 3600
	return fmt.Sprintf("RULE(%d, %d, %s, %s, %s, %d, %s, %s, %s, %d)", offset, -seconds(m[2], -(offset+3600)),
		m[3], m[4], m[5], seconds(m[6], two), m[7], m[8], m[9], seconds(m[10], two))
}

// table is what several databases are printed from.
type table struct {
	rules   []string
	ruleOf  map[string]int
	changes []change
	known   map[string]zone // by their files' contents
}

func (t *table) add(name string, data []byte) zone {
	z, isKnown := t.known[string(data)]
	if !isKnown {
		z = read(name, data)
		z.start = len(t.changes)
		t.changes = append(t.changes, z.changes...)
		t.known[string(data)] = z
		if _, isKnown := t.ruleOf[z.rule]; !isKnown {
			t.ruleOf[z.rule] = len(t.rules)
			t.rules = append(t.rules, rule(z.rule))
		}
	}
	z.name = name
	return z
}

// database returns the files of a zoneinfo.zip, sorted by name.
func database(path string) (files []*zip.File) {
	for _, f := range must(zip.OpenReader(path)).File {
		if !strings.HasSuffix(f.Name, "/") {
			files = append(files, f)
		}
	}
	for i := 1; i < len(files); i++ {
		if files[i-1].Name >= files[i].Name {
			panic("the names are not sorted")
		}
	}
	return files
}

func contents(f *zip.File) []byte { return must(io.ReadAll(must(f.Open()))) }

func (t *table) printZone(macro string, z zone) {
	put(fmt.Sprintf("%s(%q, %d, %d, %d, %d)", macro, z.name, z.start, len(z.changes), z.first, t.ruleOf[z.rule]))
}

func main() {
	older, newer := database(os.Args[1]), database(os.Args[3])
	if len(older) != len(newer) {
		panic("one of the databases has more zones")
	}
	t := table{ruleOf: map[string]int{}, known: map[string]zone{}}
	var zones, changed []zone // of the newer one; of the older one, where the two differ
	for i, f := range newer {
		if older[i].Name != f.Name {
			panic("one of the databases has no " + f.Name)
		}
		z, before := t.add(f.Name, contents(f)), read(f.Name, contents(older[i]))
		zones = append(zones, z)
		if before.first != z.first || before.rule != z.rule || !slices.Equal(before.changes, z.changes) {
			changed = append(changed, t.add(f.Name, contents(older[i])))
		}
	}
	fmt.Printf("/* The time zones of the tz database %s, and those of %s that differ; made by\n"+
		" * tests/support/zone-table. */\n", os.Args[4], os.Args[2])
	fmt.Println("#ifdef ZONE")
	for _, z := range zones {
		t.printZone("ZONE", z)
	}
	end()
	fmt.Println("#endif\n#ifdef OLDER_ZONE")
	for _, z := range changed {
		t.printZone("OLDER_ZONE", z)
	}
	end()
	fmt.Println("#endif\n#ifdef RULE")
	for _, r := range t.rules {
		put(r)
	}
	end()
	fmt.Println("#endif\n#ifdef CHANGE")
	for _, c := range t.changes {
		put(fmt.Sprintf("CHANGE(%d, %d)", c.when, c.offset))
	}
	end()
	fmt.Println("#endif")
}
