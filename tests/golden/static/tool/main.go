//go:build kubernetes1.37

// static: what an API server answers to directories of static admission manifests.
//
// Reads JSON lines {"kind": KIND, "files": {NAME: TEXT}} from standard input, and prints for each the error that
// the server's own loader ends with, as a JSON string; null where it loads all. KIND is what the directory is
// for: policies, mutating-policies, webhooks, mutating-webhooks. The directory's name is left out of the error.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	policies "k8s.io/kubernetes/pkg/admission/plugin/policy/manifest/loader"
	webhooks "k8s.io/kubernetes/pkg/admission/plugin/webhook/manifest/loader"
)

type directory struct {
	Kind  string
	Files map[string]string
}

func load(kind, dir string) (err error) {
	switch kind {
	case "policies":
		_, err = policies.LoadValidatingManifestsFromDirectory(dir)
	case "mutating-policies":
		_, err = policies.LoadMutatingManifestsFromDirectory(dir)
	case "webhooks":
		_, err = webhooks.LoadValidatingManifests(dir)
	case "mutating-webhooks":
		_, err = webhooks.LoadMutatingManifests(dir)
	default:
		panic("no such kind: " + kind)
	}
	return err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func answer(d directory) *string {
	dir, err := os.MkdirTemp("", "static")
	must(err)
	defer os.RemoveAll(dir)
	for name, text := range d.Files {
		must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if err := load(d.Kind, dir); err != nil {
		said := strings.ReplaceAll(err.Error(), dir+"/", "")
		return &said
	}
	return nil
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var d directory
		must(json.Unmarshal(in.Bytes(), &d))
		must(out.Encode(answer(d)))
	}
	must(in.Err())
}
