// configuration: what an API server answers to files for --authentication-config and --authorization-config.
//
// Reads files from standard input, each as a JSON string in a line, and prints for each a line with the errors that
// the server's own loader and validation find: a list of [FIELD, MESSAGE]. FIELD is null for an error of the decoder.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/install"
	_ "k8s.io/kubernetes/pkg/features"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func decode(text string) (runtime.Object, error) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)
	return runtime.Decode(codecs.UniversalDecoder(), []byte(text))
}

func check(text string) field.ErrorList {
	object, err := decode(text)
	if err != nil {
		return field.ErrorList{{Detail: err.Error()}}
	}
	switch file := object.(type) {
	case *apiserver.AuthenticationConfiguration:
		return validateAuthentication(file)
	case *apiserver.AuthorizationConfiguration:
		return validateAuthorization(file)
	}
	panic(errors.New("no such kind"))
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var text string
		must(json.Unmarshal(in.Bytes(), &text))
		answer := [][2]any{}
		for _, e := range check(text) {
			if e.Type == "" {
				answer = append(answer, [2]any{nil, e.Detail})
			} else {
				answer = append(answer, [2]any{e.Field, e.ErrorBody()})
			}
		}
		must(out.Encode(answer))
	}
	must(in.Err())
}
