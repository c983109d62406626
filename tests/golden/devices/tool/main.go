// devices: what an API server answers to the selectors of DeviceClasses, ResourceClaims and ResourceClaimTemplates.
//
// Reads objects from standard input, each as JSON in a line, and prints for each a line with the errors that the
// server's own validation finds: a list of [FIELD, MESSAGE].
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"k8s.io/kubernetes/pkg/apis/resource/validation"
	_ "k8s.io/kubernetes/pkg/features"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func check(bytes []byte) field.ErrorList {
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), bytes)
	must(err)
	switch made := object.(type) {
	case *resource.DeviceClass:
		return validation.ValidateDeviceClass(made)
	case *resource.ResourceClaim:
		return validation.ValidateResourceClaim(made)
	case *resource.ResourceClaimTemplate:
		return validation.ValidateResourceClaimTemplate(made)
	}
	panic("no such kind")
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		answer := [][2]string{}
		for _, e := range check(in.Bytes()) {
			answer = append(answer, [2]string{e.Field, e.ErrorBody()})
		}
		must(out.Encode(answer))
	}
	must(in.Err())
}
