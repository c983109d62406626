// evaluate evaluates expressions with the API server's own libraries. Lines on stdin:
//
//	{"id": ID, "expr": TEXT, "values": {NAME: JSON}, "limit": COST, "typed": [NAME], "mutating": BOOL}
//
// The variables are of type dyn, as object and params are in a policy; the limit may be absent. Those in "typed"
// are values of Go: request an AdmissionRequest, others objects of their kinds. One line on stdout for each:
// {"id", "value" or "error", "cost"}, or {"id", "issues"} for what does not compile.
//
// "for MILLISECONDS" before the version evaluates each expression for so long, and adds "ns", what one evaluation takes
// of CPU time.
//
// "objects SEED COUNT" in place of the version prints objects of built-in kinds, made by chance, two of each.
//
// A line of a whole policy and a request (policy.go) is answered with {"id", "decisions", "annotations"}, neither
// where the match conditions let the request pass; of a mutating policy with what the object has become, for which the
// BUNDLE of schemas is needed; before 1.36, policies are not answered. A line that asks whether resources match a request (matching.go)
// is answered with the version that the policy sees, with an error, or with neither. {"id", "sent": OBJECT} is
// answered with what Go writes of the object.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

type input struct {
	policyInput
	matchInput
	ID     string                     `json:"id"`
	Expr   string                     `json:"expr"`
	Values map[string]json.RawMessage `json:"values"`
	Limit  *uint64                    `json:"limit"`
	Typed  []string                   `json:"typed"`

	Mutating bool            `json:"mutating"`
	Sent     json.RawMessage `json:"sent"`
}

type output struct {
	ID     string  `json:"id"`
	Issues string  `json:"issues,omitempty"`
	Value  string  `json:"value,omitempty"`
	Error  string  `json:"error,omitempty"`
	Cost   *uint64 `json:"cost,omitempty"`
	Ns     float64 `json:"ns,omitempty"`

	Decisions   []policyDecision   `json:"decisions,omitempty"`
	Annotations []policyAnnotation `json:"annotations,omitempty"`
	Mutated     string             `json:"mutated,omitempty"`
}

func number(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if strings.ContainsAny(text, ".eIN") {
		return text
	}
	return text + ".0"
}

func quoted(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

func list(l traits.Lister) string {
	parts := []string{}
	for i := types.Int(0); i < l.Size().(types.Int); i++ {
		parts = append(parts, text(l.Get(i)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func mapping(m traits.Mapper) string {
	parts := []string{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		parts = append(parts, text(key)+": "+text(m.Get(key)))
	}
	sort.Strings(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func text(v ref.Val) string {
	if object := objectText(v); object != "" {
		return object
	}
	switch v := v.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return strconv.FormatBool(bool(v))
	case types.Int:
		return strconv.FormatInt(int64(v), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10) + "u"
	case types.Double:
		return number(float64(v))
	case types.String:
		return quoted(string(v))
	case types.Bytes:
		return fmt.Sprintf("bytes(%x)", []byte(v))
	case types.Duration:
		return fmt.Sprintf("duration(%d)", v.Duration.Nanoseconds())
	case types.Timestamp:
		return fmt.Sprintf("timestamp(%d.%09d)", v.Unix(), v.Nanosecond())
	case *types.Optional:
		if v.HasValue() {
			return "optional.of(" + text(v.GetValue()) + ")"
		}
		return "optional.none()"
	case ref.Type:
		return "type(" + v.TypeName() + ")"
	case traits.Mapper:
		return mapping(v)
	case traits.Lister:
		return list(v)
	}
	return other(v)
}

// Kubernetes' own values, which have no literals.
func other(v ref.Val) string {
	if s, ok := v.Value().(fmt.Stringer); ok {
		return v.Type().TypeName() + "(" + s.String() + ")"
	}
	return v.Type().TypeName() + "()"
}

func valueOf(name string, raw json.RawMessage, isTyped bool) (any, error) {
	if isTyped {
		return typedValue(name, raw)
	}
	var value any
	err := utiljson.Unmarshal(raw, &value)
	return value, err
}

// An expression that is ready to be evaluated.
type prepared struct {
	program    cel.Program
	activation map[string]any
}

// Sets out.Issues where there is no program.
func prepare(base *cel.Env, in *input, out *output) prepared {
	p := prepared{activation: map[string]any{}}
	options := []cel.EnvOption{}
	for name, raw := range in.Values {
		value, err := valueOf(name, raw, slices.Contains(in.Typed, name))
		if err != nil {
			out.Issues = err.Error()
			return p
		}
		p.activation[name] = value
		options = append(options, cel.Variable(name, cel.DynType))
	}
	if in.Mutating {
		options = append(options, mutationOptions()...)
	}
	env, err := base.Extend(options...)
	if err != nil {
		out.Issues = err.Error()
		return p
	}
	ast, issues := env.Compile(in.Expr)
	if issues != nil {
		out.Issues = "does not compile"
		return p
	}
	program := []cel.ProgramOption{cel.InterruptCheckFrequency(celconfig.CheckFrequency)}
	if in.Limit != nil {
		program = append(program, cel.CostLimit(*in.Limit))
	}
	p.program, err = env.Program(ast, program...)
	if err != nil {
		out.Issues = "no program: " + err.Error()
	}
	return p
}

func evaluate(base *cel.Env, in *input, each time.Duration) output {
	out := output{ID: in.ID}
	p := prepare(base, in, &out)
	if out.Issues != "" {
		return out
	}
	value, details, err := p.program.ContextEval(context.Background(), p.activation)
	if err != nil {
		out.Error = err.Error()
	} else {
		out.Value = text(value)
	}
	if details != nil {
		cost := details.ActualCost()
		if cost == nil {
			cost = new(uint64)
			*cost = math.MaxUint64
		}
		out.Cost = cost
	}
	if each > 0 {
		out.Ns = measure(p, each)
	}
	return out
}

func writeSent(id string, raw json.RawMessage) output {
	object, err := decodeObject(raw)
	if err != nil {
		return output{ID: id, Issues: err.Error()}
	}
	plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return output{ID: id, Issues: err.Error()}
	}
	return output{ID: id, Value: text(types.DefaultTypeAdapter.NativeToValue(plain))}
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == "objects" {
		if err := makeObjects(os.Stdout, os.Args[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "evaluate: %v\n", err)
			os.Exit(1)
		}
		return
	}
	args := os.Args[1:]
	each := time.Duration(0)
	if len(args) > 2 && args[0] == "for" {
		each, _ = time.ParseDuration(args[1] + "ms")
		args = args[2:]
	}
	if len(args) != 1 && len(args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: evaluate [for MILLISECONDS] 1.V [BUNDLE] < lines | evaluate objects SEED COUNT")
		os.Exit(1)
	}
	if len(args) == 2 {
		readBundle(args[1])
	}
	base := baseEnvironment(version.MustParseGeneric(args[0]))
	env := base.StoredExpressionsEnv()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var line input
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			fmt.Fprintf(os.Stderr, "evaluate: %v: %s\n", err, in.Bytes())
			os.Exit(1)
		}
		if line.Match != nil {
			out := output{ID: line.ID}
			match(&line, &out)
			encoder.Encode(out)
			continue
		}
		if line.Sent != nil {
			encoder.Encode(writeSent(line.ID, line.Sent))
			continue
		}
		if line.Policy != nil {
			out := output{ID: line.ID}
			answerPolicy(base, in.Bytes(), &line.policyInput, &out)
			encoder.Encode(out)
			continue
		}
		encoder.Encode(evaluate(env, &line, each))
	}
}
