// rulecost compiles the x-kubernetes-validations at the root of schemas with the
// API server's own libraries. Lines on stdin:
//
//	{"schema": {JSONSchemaProps with x-kubernetes-validations}, "resource": true|false}
//
// and for each one line on stdout: [{"error", "cost", "usesOldSelf", "messageError",
// "messageCost", "cardinality"}], an item a rule; null where the place has no type.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type input struct {
	Schema   apiextensionsv1.JSONSchemaProps `json:"schema"`
	Resource bool                            `json:"resource"`
}

type output struct {
	Error        string `json:"error"`
	Cost         uint64 `json:"cost"`
	UsesOldSelf  bool   `json:"usesOldSelf"`
	MessageError string `json:"messageError"`
	MessageCost  uint64 `json:"messageCost"`
	Cardinality  uint64 `json:"cardinality"`
}

func detail(err *apiservercel.Error) string {
	if err == nil {
		return ""
	}
	return err.Detail
}

func compile(line []byte) ([]output, error) {
	var in input
	var props apiextensions.JSONSchemaProps
	if err := json.Unmarshal(line, &in); err != nil {
		return nil, err
	}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&in.Schema, &props, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(&props)
	if err != nil {
		return nil, err
	}
	declared := model.SchemaDeclType(structural, in.Resource)
	if declared == nil {
		return nil, nil
	}
	base := baseEnvironment(environment.DefaultCompatibilityVersion())
	results, err := cel.Compile(structural, declared, celconfig.PerCallLimit, base, cel.NewExpressionsEnvLoader())
	if err != nil {
		return nil, err
	}
	answer := []output{}
	for _, r := range results {
		o := output{Error: detail(r.Error), UsesOldSelf: r.UsesOldSelf, MessageError: detail(r.MessageExpressionError)}
		o.Cost, o.MessageCost, o.Cardinality = r.MaxCost, r.MessageExpressionMaxCost, r.MaxCardinality
		answer = append(answer, o)
	}
	return answer, nil
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		answer, err := compile(in.Bytes())
		if err != nil {
			fmt.Fprintf(os.Stderr, "rulecost: %v: %s\n", err, in.Bytes())
			os.Exit(1)
		}
		encoder.Encode(answer)
	}
}
