package main

import (
	"encoding/base64"
	"math/rand"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Objects made from a schema, led by what the policy speaks of.

// mentions are the names and the values in a policy's expressions.
type mentions struct {
	names   map[string]bool
	strings []string
	numbers []int64
}

func (m *mentions) add(env *cel.Env, text string) {
	if m.names == nil {
		m.names = map[string]bool{}
	}
	parsed, issues := env.Parse(text)
	if issues != nil && issues.Err() != nil {
		return
	}
	m.read(parsedTree(parsed))
}

func (m *mentions) read(e Expr) {
	switch e.Kind() {
	case ast.SelectKind:
		m.names[e.AsSelect().FieldName()] = true
	case ast.StructKind:
		for _, field := range structFields(e) {
			m.names[field.name] = true
		}
	case ast.LiteralKind:
		switch v := e.AsLiteral().(type) {
		case types.String:
			if s := string(v); len(s) < 64 {
				m.strings = append(m.strings, s)
				m.names[s] = true
				m.pointer(s)
			}
		case types.Int:
			m.numbers = append(m.numbers, int64(v))
		}
	}
	for _, child := range children(e) {
		m.read(child)
	}
}

// pointer adds the names in a JSON pointer.
func (m *mentions) pointer(s string) {
	if !strings.HasPrefix(s, "/") {
		return
	}
	for _, part := range strings.Split(s[1:], "/") {
		m.names[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)] = true
	}
}

func (m *mentions) sorted() []string {
	var all []string
	for name := range m.names {
		if name != "" {
			all = append(all, name)
		}
	}
	sort.Strings(all)
	return all
}

type generator struct {
	*rand.Rand
	*mentions
	keys      []string // for maps and open objects
	mentioned float64  // how likely an optional field is that the policy speaks of
	others    float64
	elements  int // of a list; -1: none, one or two
	least     int // elements of the next list
	budget    int
	builtin   bool // a type of Kubernetes itself
	isBefore  bool // for mutating admission
	loose     bool // custom resources that are sent, before they are validated: values of any type
}

// shape sets how full the i-th object is.
func (g *generator) shape(i int) {
	g.elements, g.budget = -1, 600
	switch {
	case i == 0:
		g.mentioned, g.others, g.elements = 0, 0, 1
	case i == 1:
		g.mentioned, g.others, g.elements = 1, 0.5, 2
	case i == 2:
		g.mentioned, g.others, g.elements = 1, 0, 1
	case i == 3:
		g.mentioned, g.others, g.elements = 0, 0, 0
	default:
		g.mentioned = []float64{0.5, 0.8, 0.9, 0.95, 1}[g.Intn(5)]
		g.others = []float64{0, 0.02, 0.1, 0.3}[g.Intn(4)]
		if g.Intn(3) == 0 {
			g.elements = 1 + g.Intn(2)
		}
	}
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

func (g *generator) count() int {
	if g.elements >= 0 {
		return g.elements
	}
	return g.Intn(3)
}

func (g *generator) value(s *schemaNode, depth int) any {
	s = s.resolved()
	g.budget--
	if s.Nullable && g.chance(0.1) {
		return nil
	}
	if g.loose && depth > 0 && g.chance(0.1) { // pruned
		return []any{int64(1), "a", true, 1.5, []any{}, []any{"a", int64(1)}, map[string]any{}}[g.Intn(7)]
	}
	if len(s.Enum) > 0 && (s.Type != "string" || g.chance(0.8)) { // no conclusion rests on values
		return g.pick(s.Enum)
	}
	switch {
	case s.isQuantity():
		return g.quantity()
	case s.isIntOrString():
		if g.chance(0.5) {
			return g.integer(s)
		}
		return []any{"50%", "http", "25%"}[g.Intn(3)]
	}
	switch s.Type {
	case "string":
		return g.text(s)
	case "integer":
		return g.integer(s)
	case "number":
		if g.chance(0.5) {
			return g.integer(s)
		}
		return []any{0.5, 1.5, 2.25, -1.75}[g.Intn(4)]
	case "boolean":
		return g.chance(0.5)
	case "array":
		return g.list(s, depth)
	case "object":
		if s.open() && len(s.Properties) == 0 {
			return g.object(depth)
		}
		return g.fields(s, depth)
	}
	if len(s.Properties) > 0 {
		return g.fields(s, depth)
	}
	if strings.Contains(s.name, "RawExtension") || strings.Contains(s.name, "FieldsV1") {
		return g.object(depth)
	}
	return g.anything(depth)
}

func (g *generator) pick(from []any) any {
	value := from[g.Intn(len(from))]
	if number, is := value.(float64); is && number == float64(int64(number)) {
		return int64(number)
	}
	return value
}

func (g *generator) list(s *schemaNode, depth int) any {
	list := []any{}
	if s.Items == nil {
		return list
	}
	n := max(g.count(), s.MinItems, g.least)
	g.least = 0
	for range n {
		if depth > 14 || g.budget < 0 && len(list) > 0 {
			break
		}
		list = append(list, g.value(s.Items, depth+1))
	}
	return list
}

func (g *generator) fields(s *schemaNode, depth int) any {
	content := map[string]any{}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p := g.others
		if g.names[name] {
			p = g.mentioned
		}
		if depth > 10 || g.budget < 0 {
			p = 0
		}
		if g.builtin && (name == "spec" || name == "template") { // the API server accepts few objects without
			p = 1
		}
		isContainers := strings.HasSuffix(s.name, ".core.v1.PodSpec") && name == "containers"
		if required[name] && g.builtin && !isContainers && s.Properties[name].resolved().Type == "array" && g.chance(0.05) {
			continue // null, in Go: not every slice that is required is validated to be there
		}
		if required[name] && depth <= 16 || g.chance(p) {
			if isContainers {
				g.least = 1
			}
			isLoose := g.loose
			g.loose = isLoose && !(name == "metadata" && (depth == 0 || s.Embedded)) // decoded before admission
			content[name] = g.value(s.Properties[name], depth+1)
			g.loose = isLoose
		}
	}
	if s.element != nil {
		for _, key := range g.someKeys() {
			content[key] = g.value(s.element, depth+1)
		}
	}
	if s.Unknown && len(s.Properties) > 0 && g.chance(g.mentioned) {
		for _, key := range g.someKeys() {
			if _, there := content[key]; !there && s.Properties[key] == nil {
				content[key] = g.anything(depth + 1)
			}
		}
	}
	if s.Embedded {
		content["apiVersion"], content["kind"] = "v1", "ConfigMap"
	}
	return content
}

// someKeys are a map's: those that the policy names, all, some or none of them, and others.
func (g *generator) someKeys() []string {
	var keys []string
	p := g.mentioned
	if g.chance(0.3) {
		p = g.Float64()
	}
	for _, key := range g.keys {
		if g.chance(p * min(1, 12/float64(len(g.keys)))) {
			keys = append(keys, key)
		}
	}
	if g.chance(0.3) {
		keys = append(keys, "other")
	}
	return keys
}

func (g *generator) object(depth int) any {
	content := map[string]any{}
	for _, key := range g.someKeys() {
		content[key] = g.anything(depth + 1)
	}
	return content
}

func (g *generator) anything(depth int) any {
	kinds := 8
	if depth > 6 || g.budget < 0 {
		kinds = 5
	}
	g.budget--
	switch g.Intn(kinds) {
	case 0:
		return g.integer(nil)
	case 1:
		return g.chance(0.5)
	case 2:
		return 1.5
	case 3, 4:
		return g.text(nil)
	case 5:
		list := []any{}
		for range g.count() {
			list = append(list, g.anything(depth+1))
		}
		return list
	}
	return g.object(depth)
}

func (g *generator) integer(s *schemaNode) any {
	n := []int64{0, 1, 2, 5, 100, 8080}[g.Intn(6)]
	if len(g.numbers) > 0 && g.chance(0.6) {
		n = g.numbers[g.Intn(len(g.numbers))] + int64(g.Intn(3)) - 1
	}
	if s != nil && s.Minimum != nil {
		n = max(n, int64(*s.Minimum))
	}
	return n
}

func (g *generator) quantity() any {
	if len(g.strings) > 0 && g.chance(0.4) {
		s := g.strings[g.Intn(len(g.strings))]
		if _, err := resource.ParseQuantity(s); err == nil {
			return s
		}
	}
	return []any{"100m", "1", "2", "0.5", "64Mi", "1Gi", "2000m"}[g.Intn(7)]
}

var formats = map[string][]string{
	"date-time": {"2024-01-02T03:04:05Z", "2031-12-01T00:00:00Z"},
	"date":      {"2024-01-02"}, "duration": {"1h", "90s"}, "uuid": {"b6c0a8b4-6c1d-4a8e-9d55-1b2b7f1f8f10"},
	"ipv4": {"10.0.0.1"}, "ipv6": {"fe80::1"}, "cidr": {"10.0.0.0/8"}, "uri": {"https://example.com/a"}, "email": {"a@example.com"},
	"hostname": {"example.com"}, "mac": {"00:00:5e:00:53:01"},
}

func (g *generator) text(s *schemaNode) any {
	if s != nil {
		switch {
		case s.Format == "byte":
			return base64.StdEncoding.EncodeToString([]byte("value"))
		case strings.HasSuffix(s.name, "MicroTime"):
			return "2024-01-02T03:04:05.000000Z"
		case formats[s.Format] != nil:
			of := formats[s.Format]
			return of[g.Intn(len(of))]
		}
	}
	if len(g.strings) > 0 && g.chance(0.7) {
		v := g.strings[g.Intn(len(g.strings))]
		switch g.Intn(6) {
		case 0:
			return v + "x"
		case 1:
			return "x" + v
		case 2:
			return v + g.strings[g.Intn(len(g.strings))]
		}
		return v
	}
	return []any{"", "a", "web", "nginx:1.27", "nginx", "registry.example.com/team/app:latest", "10", "2024-01-02T03:04:05Z"}[g.Intn(8)]
}

// fillDefaults adds what the schema of a custom resource defaults.
func fillDefaults(value any, s *schemaNode) {
	s = s.resolved()
	switch v := value.(type) {
	case map[string]any:
		for name, p := range s.Properties {
			if _, there := v[name]; !there && p.Default != nil {
				v[name] = copyNumbers(p.Default)
			}
			if field, there := v[name]; there {
				fillDefaults(field, p)
			}
		}
		if s.element != nil {
			for _, field := range v {
				fillDefaults(field, s.element)
			}
		}
	case []any:
		if s.Items != nil {
			for _, element := range v {
				fillDefaults(element, s.Items)
			}
		}
	}
}

// copyNumbers copies JSON, its whole numbers as the API server decodes them.
func copyNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		m := map[string]any{}
		for key, field := range v {
			m[key] = copyNumbers(field)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = copyNumbers(v[i])
		}
		return l
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}
