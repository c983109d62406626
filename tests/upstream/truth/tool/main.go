// truth evaluates policies on objects made from schemas and says what happened at
// each place of each expression. Lines on stdin, one a policy:
//
//	{"id": ..., "policy": {a ValidatingAdmissionPolicy}, "types": [{"group", "version", "kind",
//	  "endpoints": [{"group", "version", "resource", "subresource", "namespaced", "operations": [...]}]}],
//	 "requests": [{"operation", "object", "oldObject", "params", "user"}]}
//
// and on stdout one a policy and type. With "requests" these are evaluated (their
// outcomes are listed), else objects are made, and there is one line for each kind
// of request ("way": the resource, the subresource, the operation).
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"
	"runtime"
	"sync"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/yaml"
)

type typeInput struct {
	Group     string     `json:"group"`
	Version   string     `json:"version"`
	Kind      string     `json:"kind"`
	Endpoints []endpoint `json:"endpoints"`
}

func (t *typeInput) name() string { return t.Group + "/" + t.Version + ", Kind=" + t.Kind }

type requestInput struct {
	Operation string         `json:"operation"`
	Object    map[string]any `json:"object"`
	OldObject map[string]any `json:"oldObject"`
	Namespace map[string]any `json:"namespace"`
	Params    map[string]any `json:"params"`
	User      string         `json:"user"`
	Groups    []string       `json:"groups"`
}

type input struct {
	ID       string                                          `json:"id"`
	Policy   admissionregistration.ValidatingAdmissionPolicy `json:"policy"`
	Types    []typeInput                                     `json:"types"`
	Requests []requestInput                                  `json:"requests"`
	Before   bool                                            `json:"before"` // it is asked before validation: objects are as they were sent
	Param    *[3]string                                      `json:"param"`  // group, version, kind of the paramKind, if known
}

type expressionOutput struct {
	FieldRef  string    `json:"fieldRef"`
	Problems  []problem `json:"problems,omitempty"`
	Evaluated int       `json:"evaluated"`
	Errors    int       `json:"errors"`
	True      int       `json:"true,omitempty"` // a bool that was so, for objects that the API server does not refuse (valid.go)
	False     int       `json:"false,omitempty"`
	Fails     int       `json:"fails,omitempty"`
	Places    []*place  `json:"places,omitempty"`
}

type output struct {
	ID          string              `json:"id"`
	Type        string              `json:"type"`
	Way         *way                `json:"way,omitempty"` // the kind of request, of objects that are made
	Requests    int                 `json:"requests"`
	Skipped     int                 `json:"skipped,omitempty"`
	Sample      string              `json:"sample,omitempty"` // why the last was skipped
	Expressions []*expressionOutput `json:"expressions"`
	Outcomes    [][]outcome         `json:"outcomes,omitempty"`
}

// session is the work on one policy and one type.
type session struct {
	dump            *dump
	policy          *policy
	kind            schema.GroupVersionKind
	schema          *schemaNode
	namespaceSchema *schemaNode
	paramSchema     *schemaNode
	seed            int64
	examples        bool
	isBefore        bool

	tags     tags
	broken   map[string][]*node // variable that failed in this round -> where that arose
	anything map[string]bool    // variable whose value may be anything
	settled  map[string]bool    // variable that nothing but the type decides
	random   *rand.Rand
	byChance bool // evaluating as if values were otherwise
	current  *request
}

// example keeps the request at hand, the first time.
func (s *session) example(into *string) {
	if !s.examples || *into != "" || s.current == nil {
		return
	}
	text, _ := json.Marshal(map[string]any{"operation": s.current.operation, "object": s.current.object, "oldObject": s.current.oldObject, "params": s.current.params})
	*into = string(text)
}

type tool struct {
	dump     *dump
	objects  int
	seed     int64
	examples bool
}

func (t *tool) policy(line []byte) ([]*output, error) {
	var in input
	if err := json.Unmarshal(line, &in); err != nil {
		return nil, err
	}
	var outputs []*output
	s := &session{dump: t.dump, seed: t.seed, examples: t.examples, namespaceSchema: t.dump.kind([3]string{"", "v1", "Namespace"}, "", "v1")}
	if s.namespaceSchema == nil {
		return nil, fmt.Errorf("no schema of Namespace in %s", t.dump.directory)
	}
	var more struct {
		Policy struct {
			Spec struct {
				Mutations []mutationEntry `json:"mutations"`
			} `json:"spec"`
		} `json:"policy"`
	}
	if err := json.Unmarshal(line, &more); err != nil {
		return nil, err
	}
	s.isBefore = in.Before
	p, err := compilePolicy(&in.Policy, more.Policy.Spec.Mutations, s)
	if err != nil {
		return nil, err
	}
	s.policy = p
	if in.Param != nil {
		s.paramSchema = t.dump.kind(*in.Param, in.Param[0], in.Param[1])
	}
	for i := range in.Types {
		of := &in.Types[i]
		if in.Requests != nil || len(of.Endpoints) == 0 {
			outputs = append(outputs, t.kind(s, &in, of, nil))
			continue
		}
		ways := of.ways()
		for w := range ways {
			ways[w].of = len(ways)
			outputs = append(outputs, t.kind(s, &in, of, &ways[w]))
		}
	}
	return outputs, nil
}

// way is a kind of request: what differs by it is judged by itself.
type way struct {
	*endpoint
	Operation string `json:"operation"`
	of        int    // so many share the objects of the type
}

func (t *typeInput) ways() []way {
	var ways []way
	for i := range t.Endpoints {
		for _, operation := range t.Endpoints[i].Operations {
			ways = append(ways, way{endpoint: &t.Endpoints[i], Operation: operation})
		}
	}
	return ways
}

// forget sets all counts to 0: they are of one kind of request.
func (p *policy) forget() {
	for _, x := range p.all {
		x.evaluated, x.errors, x.came = 0, 0, [3]int{}
		x.forgetApplied()
		for _, n := range x.ordered {
			n.place = place{Line: n.Line, Column: n.Column, What: n.What}
			n.operand = place{Line: n.Line, Column: n.Column, What: "operand"}
			n.came = [2]bool{}
		}
	}
}

// kind evaluates the policy on requests of a type: on those of one way, or on those that are given.
func (t *tool) kind(s *session, in *input, of *typeInput, w *way) *output {
	s.policy.forget()
	out := &output{ID: in.ID, Type: of.name(), Way: w}
	s.kind = schema.GroupVersionKind{Group: of.Group, Version: of.Version, Kind: of.Kind}
	s.schema = nil
	if len(of.Endpoints) > 0 {
		s.schema = t.dump.kind([3]string{of.Group, of.Version, of.Kind}, of.Endpoints[0].Group, of.Endpoints[0].Version)
	}
	switch {
	case s.schema == nil:
		out.Sample = "no schema, or no endpoint"
	case w == nil:
		t.given(s, in, of, out)
	default:
		t.generated(s, in, w, out)
	}
	for _, x := range s.policy.all {
		e := &expressionOutput{FieldRef: x.fieldRef, Problems: x.problems, Evaluated: x.evaluated, Errors: x.errors, True: x.came[1], False: x.came[0], Fails: x.came[2]}
		for _, n := range x.ordered {
			for _, place := range []place{n.place, n.operand} {
				if place.Reached > 0 || place.What == structure {
					e.Places = append(e.Places, &place)
				}
			}
		}
		if applied := x.applied; applied.Reached > 0 {
			e.Places = append(e.Places, &applied)
		}
		out.Expressions = append(out.Expressions, e)
	}
	return out
}

func (t *tool) given(s *session, in *input, of *typeInput, out *output) {
	for _, sent := range in.Requests {
		info := &user.DefaultInfo{Name: sent.User, Groups: sent.Groups}
		namespace := sent.Namespace
		if namespace == nil {
			namespace = map[string]any{"metadata": map[string]any{}}
		}
		for _, content := range []map[string]any{sent.Object, sent.OldObject, sent.Params, namespace} {
			for key, value := range content {
				content[key] = copyNumbers(value)
			}
		}
		r, err := s.newRequest(&of.Endpoints[0], sent.Operation, sent.Object, sent.OldObject, namespace, sent.Params, info)
		if err != nil {
			out.Skipped++
			out.Sample = err.Error()
			out.Outcomes = append(out.Outcomes, nil)
			continue
		}
		out.Outcomes = append(out.Outcomes, s.run(r))
		out.Requests++
	}
}

func (s *session) run(r *request) []outcome {
	s.tags, s.current = r.tags, r
	return s.policy.evaluate(r)
}

// enough requests of one kind, whatever their number over all kinds
const enough = 24

func (t *tool) generated(s *session, in *input, w *way, out *output) {
	h := fnv.New64()
	fmt.Fprint(h, t.seed, in.ID, out.Type, w.Resource, w.Subresource, w.Operation)
	g := &generator{Rand: rand.New(rand.NewSource(int64(h.Sum64()))), mentions: &s.policy.mentions, keys: s.policy.mentions.sorted(), isBefore: s.isBefore}
	s.random = g.Rand
	var requests []*request
	for i := 0; i < max(t.objects/w.of, min(t.objects, enough)); i++ {
		g.shape(i)
		var object, old map[string]any
		if w.Operation != "DELETE" {
			object = g.root(s.schema, s.kind, w.endpoint, false)
		}
		if w.Operation == "UPDATE" || w.Operation == "DELETE" {
			old = g.root(s.schema, s.kind, w.endpoint, true)
		}
		g.budget, g.builtin, g.loose = 100, true, false
		namespace, _ := g.value(s.namespaceSchema, 0).(map[string]any)
		g.metadata(namespace, false)
		r, err := s.newRequest(w.endpoint, w.Operation, object, old, namespace, g.params(s), g.user())
		if err != nil {
			out.Skipped++
			out.Sample = err.Error()
			continue
		}
		s.run(r)
		requests = append(requests, r)
		out.Requests++
	}
	s.otherwise(requests)
}

// root makes an object of the type; isOld: it was validated when it was stored.
func (g *generator) root(of *schemaNode, kind schema.GroupVersionKind, e *endpoint, isOld bool) map[string]any {
	g.budget, g.builtin = 600, legacyscheme.Scheme.Recognizes(kind)
	g.loose = g.isBefore && !g.builtin && !isOld
	content, is := g.value(of, 0).(map[string]any)
	if !is {
		content = map[string]any{}
	}
	if of.Properties["metadata"] != nil {
		g.metadata(content, e.Namespaced)
		if g.chance(0.5) && e.Subresource != "status" {
			delete(content, "status")
		}
	}
	fillDefaults(content, of)
	return content
}

// metadata is never without a name, nor what the API server sets before admission.
func (g *generator) metadata(content map[string]any, namespaced bool) {
	meta, is := content["metadata"].(map[string]any)
	if !is {
		meta = map[string]any{}
	}
	content["metadata"] = meta
	if name, _ := meta["name"].(string); name == "" {
		meta["name"] = "web"
	}
	delete(meta, "namespace")
	if namespaced {
		meta["namespace"] = "default"
		if name, _ := g.text(nil).(string); name != "" && g.chance(0.5) {
			meta["namespace"] = name
		}
	}
	if g.chance(0.8) {
		meta["uid"], meta["creationTimestamp"] = "b6c0a8b4-6c1d-4a8e-9d55-1b2b7f1f8f10", "2024-01-02T03:04:05Z"
	}
}

// params of the policy: an object of its kind, or whatever the policy speaks of, or none.
func (g *generator) params(s *session) map[string]any {
	if !s.policy.hasParams || g.chance(0.1) {
		return nil
	}
	g.budget, g.builtin, g.loose = 200, false, false
	var content map[string]any
	if s.paramSchema != nil {
		content, _ = g.value(s.paramSchema, 0).(map[string]any)
		fillDefaults(content, s.paramSchema)
	} else {
		content, _ = g.object(0).(map[string]any)
	}
	if content != nil {
		g.metadata(content, false)
	}
	return content
}

// toJSON prints {"file", "document", "object"} for each document.
func toJSON(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
		for i := 0; ; i++ {
			document, err := reader.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			var object map[string]any
			if err := yaml.Unmarshal(document, &object); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			line, _ := json.Marshal(map[string]any{"file": file, "document": i, "object": object})
			fmt.Println(string(line))
		}
	}
	return nil
}

func main() {
	t := &tool{}
	directory := flag.String("dump", "", "the directory with openapi/v3 (see kubectl vapcheck dump)")
	flag.IntVar(&t.objects, "objects", 100, "requests a policy and type")
	flag.Int64Var(&t.seed, "seed", 1, "of the generator")
	flag.BoolVar(&t.examples, "examples", false, "with a request that passes and one that fails for each place")
	convert := flag.Bool("to-json", false, "print the documents of the YAML files in the arguments as JSON lines, and end")
	jobs := flag.Int("jobs", runtime.NumCPU(), "policies at a time")
	flag.Parse()
	if *convert {
		if err := toJSON(flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, "truth:", err)
			os.Exit(2)
		}
		return
	}
	t.dump = &dump{directory: *directory, documents: map[string]*document{}}

	lines := make(chan []byte)
	var workers sync.WaitGroup
	var print sync.Mutex
	failed := false
	for range *jobs {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for line := range lines {
				outputs, err := t.policy(line)
				print.Lock()
				if err != nil {
					fmt.Fprintf(os.Stderr, "truth: %v: %.200s\n", err, line)
					failed = true
				}
				for _, o := range outputs {
					text, _ := json.Marshal(o)
					os.Stdout.Write(append(text, '\n'))
				}
				print.Unlock()
			}
		}()
	}
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		lines <- append([]byte(nil), scanner.Bytes()...)
	}
	close(lines)
	workers.Wait()
	if failed || scanner.Err() != nil {
		os.Exit(2)
	}
}
