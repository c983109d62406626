package main

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// What mutating admission adds: objects as they were sent, and mutations, each of which
// finds what the one before made of the object.

// structure is what an Object{...} or JSONPatch{...} is called; these are listed although evaluation did not come to
// them, for a warning may be about them.
const structure = "{}"

// mutationEntry is one of a MutatingAdmissionPolicy's mutations.
type mutationEntry struct {
	JSONPatch          *struct{ Expression string } `json:"jsonPatch"`
	ApplyConfiguration *struct{ Expression string } `json:"applyConfiguration"`
}

func (m *mutationEntry) isPatch() bool { return m.JSONPatch != nil }

func (m *mutationEntry) fieldRef() string {
	if m.isPatch() {
		return "spec.mutations[%d].jsonPatch.expression"
	}
	return "spec.mutations[%d].applyConfiguration.expression"
}

// compiledMutation is one with what its result did.
type compiledMutation struct {
	*expression
	isPatch bool
}

// patching is set by patching.go, where this Kubernetes has mutations.
var patching *struct {
	withTypes func(*environment.EnvSet) (*environment.EnvSet, error)
	accessor  func(*mutationEntry) plugincel.ExpressionAccessor
	apply     func(s *session, r *request, isPatch bool, value ref.Val) (runtime.Object, error)
}

// mutate evaluates the mutations on a request, one after the other; none if it has no object. They see the
// namespace whole.
func (p *policy) mutate(r *request, outcomes *[]outcome) {
	for i, m := range p.mutations {
		if r.object == nil {
			return
		}
		vars := r.variables(r.namespace, true)
		vars[plugincel.VariableVarName] = p.variablesOf(vars)
		val, origins := p.run(m.expression, vars, outcomes)
		surface(origins)
		if val == nil {
			continue
		}
		changed, err := patching.apply(p.session, r, m.isPatch, val)
		if err == nil && i == len(p.mutations)-1 {
			err = p.session.refused(changed)
		}
		_, custom := r.objects[0].(*unstructured.Unstructured)
		m.wasApplied(err, custom && i > 0 || m.isPatch && m.computesPaths())
		if err != nil {
			continue
		}
		if r, err = p.session.changedRequest(r, changed); err != nil {
			panic(err)
		}
	}
}

// refused is why the API server refuses a custom resource after the mutations, when it converts and validates it:
// it is another kind, or of another group.
func (s *session) refused(changed runtime.Object) error {
	custom, is := changed.(*unstructured.Unstructured)
	if !is {
		return nil
	}
	if got := custom.GroupVersionKind(); got.Kind != s.kind.Kind || got.Group != s.kind.Group {
		return fmt.Errorf("the mutations make a %v of a %v", got, s.kind)
	}
	return nil
}

// wasApplied counts whether the result of the last evaluation could be applied, for the
// expression and for each Object{...} and JSONPatch{...} that evaluation came to. byValues: no type decides it.
func (x *expression) wasApplied(err error, byValues bool) {
	x.applied.Reached++
	if err != nil {
		if byValues {
			x.applied.Other++
		} else {
			x.applied.Failed++
		}
		x.applied.Surfaced++
		x.applied.Error = err.Error()
		x.session.example(&x.applied.Fails)
	} else {
		x.session.example(&x.applied.Passes)
	}
	for id := range x.last {
		n := x.nodes[id]
		if n == nil || n.expr.Kind() != ast.StructKind {
			continue
		}
		if err != nil {
			n.Refused++
		} else {
			n.Applied++
		}
	}
}

// computesPaths: evaluation came to a JSONPatch{...} of which a value decides what it does where.
func (x *expression) computesPaths() bool {
	for id := range x.last {
		n := x.nodes[id]
		if n == nil || n.expr.Kind() != ast.StructKind {
			continue
		}
		for _, field := range structFields(n.expr) {
			if field.name != "value" && !isConstant(field.value) {
				return true
			}
		}
	}
	return false
}

// forgetApplied sets the counts of what was applied to 0.
func (x *expression) forgetApplied() {
	at := x.ordered
	x.applied = place{What: "patch"}
	if len(at) > 0 {
		x.applied.Line, x.applied.Column = at[0].Line, at[0].Column
	}
}
