package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Schemas as the API server publishes them, and which part of one a map of an object is.

type schemaNode struct {
	Ref                  string                 `json:"$ref"`
	AllOf                []*schemaNode          `json:"allOf"`
	Type                 string                 `json:"type"`
	Format               string                 `json:"format"`
	Properties           map[string]*schemaNode `json:"properties"`
	Items                *schemaNode            `json:"items"`
	AdditionalProperties json.RawMessage        `json:"additionalProperties"`
	Required             []string               `json:"required"`
	Enum                 []any                  `json:"enum"`
	Default              any                    `json:"default"`
	Nullable             bool                   `json:"nullable"`
	Minimum              *float64               `json:"minimum"`
	MinItems             int                    `json:"minItems"`
	Unknown              bool                   `json:"x-kubernetes-preserve-unknown-fields"`
	IntOrString          bool                   `json:"x-kubernetes-int-or-string"`
	Embedded             bool                   `json:"x-kubernetes-embedded-resource"`
	Kinds                []struct {
		Group   string `json:"group"`
		Version string `json:"version"`
		Kind    string `json:"kind"`
	} `json:"x-kubernetes-group-version-kind"`

	name    string // of the definition
	in      *document
	element *schemaNode // of a map
	closed  bool        // it has these fields and no others, be there none
}

type document struct{ schemas map[string]*schemaNode }

type dump struct {
	directory string
	mutex     sync.Mutex
	documents map[string]*document
}

func (d *dump) document(group, version string) *document {
	path := filepath.Join("apis", group, version+".json")
	if group == "" {
		path = filepath.Join("api", version+".json")
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if doc, seen := d.documents[path]; seen {
		return doc
	}
	var doc *document
	if data, err := os.ReadFile(filepath.Join(d.directory, "openapi/v3", path)); err == nil {
		var content struct {
			Components struct {
				Schemas map[string]*schemaNode `json:"schemas"`
			} `json:"components"`
		}
		if json.Unmarshal(data, &content) == nil {
			doc = &document{content.Components.Schemas}
			for name, s := range doc.schemas {
				s.name = name
				s.settle(doc)
			}
		}
	}
	d.documents[path] = doc
	return doc
}

// settle tells a schema and what lies in it their document.
func (s *schemaNode) settle(in *document) {
	if s == nil || s.in != nil {
		return
	}
	s.in = in
	if len(s.AdditionalProperties) > 0 && s.AdditionalProperties[0] == '{' {
		s.element = &schemaNode{}
		if json.Unmarshal(s.AdditionalProperties, s.element) != nil {
			s.element = nil
		}
	} else if string(s.AdditionalProperties) == "true" {
		s.element = &schemaNode{}
	}
	s.element.settle(in)
	s.Items.settle(in)
	for _, p := range s.Properties {
		p.settle(in)
	}
	for _, p := range s.AllOf {
		p.settle(in)
	}
}

// resolved follows references.
func (s *schemaNode) resolved() *schemaNode {
	for s != nil {
		switch {
		case s.Ref != "":
			s = s.in.schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
		case s.Type == "" && len(s.AllOf) > 0 && s.AllOf[0].Ref != "":
			s = s.AllOf[0]
		default:
			return s
		}
	}
	return &schemaNode{}
}

func (s *schemaNode) isQuantity() bool { return strings.HasSuffix(s.name, "resource.Quantity") }

func (s *schemaNode) isIntOrString() bool { return s.IntOrString || s.Format == "int-or-string" }

// open: whatever was sent is there.
func (s *schemaNode) open() bool {
	if s.closed {
		return false
	}
	return s.Unknown || (len(s.Properties) == 0 && s.element == nil && (s.Type == "" || s.Type == "object"))
}

// kind finds the schema of a kind: in the document of the resource first, then in its own.
func (d *dump) kind(gvk [3]string, resourceGroup, resourceVersion string) *schemaNode {
	if s := connectOptions[gvk[2]]; s != nil && gvk[0] == "" {
		return s
	}
	for _, doc := range []*document{d.document(resourceGroup, resourceVersion), d.document(gvk[0], gvk[1])} {
		if doc == nil {
			continue
		}
		for _, s := range doc.schemas {
			for _, k := range s.Kinds {
				if k.Group == gvk[0] && k.Version == gvk[1] && k.Kind == gvk[2] {
					return s
				}
			}
		}
	}
	return nil
}

func object(fields map[string]*schemaNode) *schemaNode {
	return &schemaNode{Type: "object", Properties: fields}
}

func list(of *schemaNode) *schemaNode { return &schemaNode{Type: "array", Items: of} }

var (
	aString = &schemaNode{Type: "string"}
	aBool   = &schemaNode{Type: "boolean"}
	anInt   = &schemaNode{Type: "integer"}
	aKind   = object(map[string]*schemaNode{"group": aString, "version": aString, "kind": aString})
	aGVR    = object(map[string]*schemaNode{"group": aString, "version": aString, "resource": aString})
	aUser   = object(map[string]*schemaNode{
		"username": aString, "uid": aString, "groups": list(aString),
		"extra": {Type: "object", element: list(aString)},
	})
	// What connecting brings has no published schema.
	execOptions = object(map[string]*schemaNode{
		"kind": aString, "apiVersion": aString, "stdin": aBool, "stdout": aBool, "stderr": aBool, "tty": aBool,
		"container": aString, "command": list(aString),
	})
	attachOptions = object(map[string]*schemaNode{
		"kind": aString, "apiVersion": aString, "stdin": aBool, "stdout": aBool, "stderr": aBool, "tty": aBool,
		"container": aString,
	})
	proxyOptions   = object(map[string]*schemaNode{"kind": aString, "apiVersion": aString, "path": aString})
	connectOptions = map[string]*schemaNode{
		"PodExecOptions": execOptions, "PodAttachOptions": attachOptions,
		"PodPortForwardOptions": object(map[string]*schemaNode{"kind": aString, "apiVersion": aString, "ports": list(anInt)}),
		"PodProxyOptions":       proxyOptions, "ServiceProxyOptions": proxyOptions, "NodeProxyOptions": proxyOptions,
	}
)

// requestSchema: the fields that this request can have; what it cannot is no field, since empty ones are left out.
func requestSchema(namespaced, subresource bool) *schemaNode {
	fields := map[string]*schemaNode{
		"uid": aString, "kind": aKind, "resource": aGVR, "requestKind": aKind, "requestResource": aGVR, "name": aString,
		"operation": aString, "userInfo": aUser, "dryRun": aBool, "options": {Type: "object"},
	}
	if namespaced {
		fields["namespace"] = aString
	}
	if subresource {
		fields["subResource"], fields["requestSubResource"] = aString, aString
	}
	return object(fields)
}

// without is the schema less these fields.
func (s *schemaNode) without(fields ...string) *schemaNode {
	s = s.resolved()
	fewer := *s
	fewer.Properties = maps.Clone(s.Properties)
	for _, name := range fields {
		delete(fewer.Properties, name)
	}
	return &fewer
}

// with is the schema with another one for this field, if it has the field.
func (s *schemaNode) with(name string, field *schemaNode) *schemaNode {
	changed := s.without()
	if changed.Properties[name] != nil {
		changed.Properties[name] = field
	}
	return changed
}

// closedBy is the schema less all fields that value, which is the same for every object, does not have.
func (s *schemaNode) closedBy(value any) *schemaNode {
	s = s.resolved()
	content, is := value.(map[string]any)
	if !is || s.element != nil {
		return s
	}
	fewer := s.without()
	fewer.closed = true
	for name, field := range fewer.Properties {
		if there, has := content[name]; has {
			fewer.Properties[name] = field.closedBy(there)
		} else {
			delete(fewer.Properties, name)
		}
	}
	return fewer
}

// tags remembers which schema each map of the objects at hand has.
type tags map[uintptr]*schemaNode

func (t tags) put(value any, s *schemaNode) {
	s = s.resolved()
	switch v := value.(type) {
	case map[string]any:
		t[reflect.ValueOf(v).Pointer()] = s
		for key, field := range v {
			if p := s.Properties[key]; p != nil {
				t.put(field, p)
			} else if s.element != nil {
				t.put(field, s.element)
			} else {
				t.put(field, &schemaNode{})
			}
		}
	case []any:
		item := s.Items
		if item == nil {
			item = &schemaNode{}
		}
		for _, element := range v {
			t.put(element, item)
		}
	}
}

// mirror gives a typed value the schemas that the maps have which it stands for.
func (t tags) mirror(value ref.Val, content any) {
	switch c := content.(type) {
	case map[string]any:
		mapper, is := value.(traits.Mapper)
		if !is {
			return
		}
		t[reflect.ValueOf(mapper).Pointer()] = t[reflect.ValueOf(c).Pointer()]
		for key, field := range c {
			if there, found := mapper.Find(types.String(key)); found {
				t.mirror(there, field)
			}
		}
	case []any:
		lister, is := value.(traits.Lister)
		if !is {
			return
		}
		for i, element := range c {
			t.mirror(lister.Get(types.Int(i)), element)
		}
	}
}

// of is the schema of a map, or of a typed value; false: it is none of an object's.
func (t tags) of(value any) (*schemaNode, bool) {
	if mapper, is := value.(traits.Mapper); is {
		if at := reflect.ValueOf(mapper); at.Kind() == reflect.Pointer {
			if s := t[at.Pointer()]; s != nil {
				return s, true
			}
		}
		value = mapper.Value()
	}
	content, is := value.(map[string]any)
	if !is {
		return nil, false
	}
	return t[reflect.ValueOf(content).Pointer()], true
}

// cannotHave: the map's schema lists its fields, and name is none of them.
func (s *schemaNode) cannotHave(name string) bool {
	if s == nil || s.open() || s.element != nil {
		return false
	}
	if s.Embedded && (name == "apiVersion" || name == "kind" || name == "metadata") {
		return false
	}
	return s.Properties[name] == nil
}

// isFixed: the map's schema says whether name is there.
func (s *schemaNode) isFixed(name string) bool {
	return s.cannotHave(name) || s != nil && slices.Contains(s.Required, name)
}

// isAnything: the field's schema, if there is one, does not say which type it has.
func (s *schemaNode) isAnything(name string) bool {
	if s == nil {
		return true
	}
	field := s.element
	if p := s.Properties[name]; p != nil {
		field = p
	}
	if field == nil {
		return s.open() && !s.Embedded
	}
	field = field.resolved()
	return field.Type == "" && len(field.Properties) == 0 && !field.isQuantity() && !field.isIntOrString()
}
