// decls: the functions that expressions can use on a new object, as an API server of these libraries declares them.
//
// decls 1.N prints a line for each overload of that compatibility level, as the lists beside this folder have them:
// "function overload-id signature", per function in the order in which the checker tries them.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"

	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Kinds whose names the lists shorten.
var short = map[cel.Kind]string{
	cel.AnyKind: "any", cel.DurationKind: "duration", cel.TimestampKind: "timestamp", cel.NullTypeKind: "null",
}

func spell(t *cel.Type) string {
	if name, ok := short[t.Kind()]; ok {
		return name
	}
	if len(t.Parameters()) == 0 {
		return t.TypeName()
	}
	return t.TypeName() + "(" + spellAll(t.Parameters()) + ")"
}

func spellAll(types []*cel.Type) string {
	var spelled []string
	for _, t := range types {
		spelled = append(spelled, spell(t))
	}
	return strings.Join(spelled, ", ")
}

func signature(o *decls.OverloadDecl) string {
	args, receiver := o.ArgTypes(), ""
	if o.IsMemberFunction() {
		receiver, args = spell(args[0])+".", args[1:]
	}
	return fmt.Sprintf("%s(%s) -> %s", receiver, spellAll(args), spell(o.ResultType()))
}

func main() {
	env, err := environment.MustBaseEnvSet(version.MustParseGeneric(os.Args[1])).Env(environment.NewExpressions)
	if err != nil {
		panic(err)
	}
	functions := env.Functions()
	var names []string
	for name, f := range functions {
		if !f.IsDeclarationDisabled() {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		for _, o := range functions[name].OverloadDecls() {
			fmt.Println(name, o.ID(), signature(o))
		}
	}
}
