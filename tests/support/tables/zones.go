// zones prints typecheck/check/zones.def: the time zones that Go's lib/time/zoneinfo.zip has.
// tests/support/zone-table says how it is run.
package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type change struct{ when, offset int64 }

type zone struct {
	name        string
	first       int64 // the offset before all changes
	changes     []change
	rule        string // of the time after the last change
	start, span int    // in the list of all changes
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

func main() {
	archive := must(zip.OpenReader(os.Args[1]))
	zones, rules, ruleOf := []zone{}, []string{}, map[string]int{}
	changes, known := []change{}, map[string]zone{}
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		data := must(io.ReadAll(must(f.Open())))
		z, isKnown := known[string(data)]
		if !isKnown {
			z = read(f.Name, data)
			z.start, z.span = len(changes), len(z.changes)
			changes = append(changes, z.changes...)
			known[string(data)] = z
			if _, isKnown := ruleOf[z.rule]; !isKnown {
				ruleOf[z.rule] = len(rules)
				rules = append(rules, rule(z.rule))
			}
		}
		z.name = f.Name
		zones = append(zones, z)
	}
	fmt.Printf("/* The time zones of the tz database %s; made by tests/support/zone-table. */\n", os.Args[2])
	fmt.Println("#ifdef ZONE")
	for i, z := range zones {
		if i > 0 && zones[i-1].name >= z.name {
			panic("the names are not sorted")
		}
		put(fmt.Sprintf("ZONE(%q, %d, %d, %d, %d)", z.name, z.start, z.span, z.first, ruleOf[z.rule]))
	}
	end()
	fmt.Println("#endif\n#ifdef RULE")
	for _, r := range rules {
		put(r)
	}
	end()
	fmt.Println("#endif\n#ifdef CHANGE")
	for _, c := range changes {
		put(fmt.Sprintf("CHANGE(%d, %d)", c.when, c.offset))
	}
	end()
	fmt.Println("#endif")
}
