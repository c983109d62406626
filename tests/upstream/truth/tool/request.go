package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"

	"github.com/google/cel-go/common/types/ref"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/library"

	crds "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiservices "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

// Requests as admission sees them: objects go the way of the API server, into
// their internal type, with defaults, and back into the version that the policy
// matches; custom resources stay JSON.

func init() {
	crds.Install(legacyscheme.Scheme)
	apiservices.Install(legacyscheme.Scheme)
}

// asAdmitted is a JSON object of a kind as admission presents it, where prepare, if there is
// one, has changed it; nil without an error for JSON that is no such object.
func asAdmitted(content map[string]any, gvk schema.GroupVersionKind, prepare func(runtime.Object)) (runtime.Object, error) {
	o, _, err := admitted(content, gvk, prepare)
	return o, err
}

// admitted says which of its fields the API server's validation refuses, too.
func admitted(content map[string]any, gvk schema.GroupVersionKind, prepare func(runtime.Object)) (runtime.Object, []string, error) {
	content["apiVersion"], content["kind"] = gvk.GroupVersion().String(), gvk.Kind
	if !legacyscheme.Scheme.Recognizes(gvk) {
		custom := &unstructured.Unstructured{Object: content}
		if prepare != nil {
			prepare(custom)
		}
		return custom, nil, nil
	}
	text, err := json.Marshal(content)
	if err != nil {
		return nil, nil, err
	}
	internal, _, err := legacyscheme.Codecs.UniversalDecoder().Decode(text, &gvk, nil)
	if err != nil {
		return nil, nil, err
	}
	if prepare != nil {
		prepare(internal)
	}
	space, _, _ := unstructured.NestedString(content, "metadata", "namespace")
	refused := invalidFields(internal, gvk, space)
	versioned, err := legacyscheme.Scheme.New(gvk)
	if err != nil {
		return nil, nil, err
	}
	if err := legacyscheme.Scheme.Convert(internal, versioned, nil); err != nil {
		return nil, nil, err
	}
	versioned.GetObjectKind().SetGroupVersionKind(gvk)
	return versioned, refused, nil
}

// unstructuredOf is the object as expressions see it.
func unstructuredOf(o runtime.Object) (map[string]any, error) {
	if o == nil {
		return nil, nil
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(o)
}

// endpoint is one way in which objects of the type come.
type endpoint struct {
	Group       string   `json:"group"`
	Version     string   `json:"version"`
	Resource    string   `json:"resource"`
	Subresource string   `json:"subresource"`
	Namespaced  bool     `json:"namespaced"`
	Status      bool     `json:"status"` // there is a subresource for the status
	Operations  []string `json:"operations,omitempty"`
}

type request struct {
	attributes      admission.Attributes
	objects         [2]runtime.Object // object and oldObject, as admitted
	reviewed        *admissionv1.AdmissionRequest
	review          map[string]any
	object          map[string]any
	oldObject       map[string]any
	params          map[string]any
	namespace       *corev1.Namespace
	authorizer      authorizer.Authorizer
	hasParams       bool
	tags            tags
	namespaceSchema *schemaNode
	operation       string
	typed           map[string]ref.Val
	isPlain         bool // its objects are maps in every version
	isRefused       bool // the API server refuses a value of the object that the policy speaks of
	endpoint        *endpoint
}

// valueOf is what an expression's variable holds for o: the maps that content has of it,
// or what typedValue makes of o itself where this Kubernetes evaluates typed values.
// Custom resources are maps in every version.
func (r *request) valueOf(name string, o any, content map[string]any) any {
	if content == nil {
		return nil // not a map that is nil
	}
	_, custom := o.(*unstructured.Unstructured)
	isObject := name == "object" || name == "oldObject"
	if custom || o == nil || typedValue == nil || isObject && r.isPlain {
		return content
	}
	if r.typed[name] == nil { // one for all evaluations, which its tags are of
		r.typed[name] = typedValue(o)
		r.tags.mirror(r.typed[name], content)
	}
	return r.typed[name]
}

// typedValue is set by typed.go.
var typedValue func(o any) ref.Val

// variables of expressions; the namespace differs: match conditions see none.
func (r *request) variables(namespace *corev1.Namespace, withAuthorizer bool) map[string]any {
	named := "namespaceObject"
	if namespace == r.namespace {
		named = "namespace" // whole
	}
	vars := map[string]any{
		plugincel.ObjectVarName:    r.valueOf("object", r.objects[0], r.object),
		plugincel.OldObjectVarName: r.valueOf("oldObject", r.objects[1], r.oldObject),
		plugincel.RequestVarName:   r.valueOf("request", r.reviewed, r.review),
		plugincel.NamespaceVarName: nil,
	}
	if namespace != nil {
		content, err := unstructuredOf(namespace)
		if err == nil {
			r.tags.put(content, r.namespaceSchema)
			vars[plugincel.NamespaceVarName] = r.valueOf(named, namespace, content)
		}
	}
	if r.hasParams {
		vars[plugincel.ParamsVarName] = r.valueOf("", nil, r.params)
	}
	if withAuthorizer {
		info := r.attributes.GetUserInfo()
		vars[plugincel.AuthorizerVarName] = library.NewAuthorizerVal(info, r.authorizer)
		vars[plugincel.RequestResourceAuthorizerVarName] = library.NewResourceAuthorizerVal(info, r.authorizer, r.attributes)
	}
	return vars
}

// stubAuthorizer allows about half, always the same.
type stubAuthorizer uint32

func (s stubAuthorizer) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	h := fnv.New32()
	fmt.Fprint(h, s, a.GetVerb(), a.GetAPIGroup(), a.GetResource(), a.GetNamespace(), a.GetName())
	if h.Sum32()%2 == 0 {
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

// review is what `request` is.
func review(a admission.Attributes, e *endpoint, kind schema.GroupVersionKind) *admissionv1.AdmissionRequest {
	return plugincel.CreateAdmissionRequest(a,
		metav1.GroupVersionResource{Group: e.Group, Version: e.Version, Resource: e.Resource}, metav1.GroupVersionKind(kind))
}

func options(operation string) runtime.Object {
	switch operation {
	case "CREATE":
		return &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}, FieldManager: "kubectl"}
	case "UPDATE":
		return &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "UpdateOptions"}}
	case "DELETE":
		return &metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "DeleteOptions"}}
	}
	return nil
}

// newRequest assembles a request from what is sent and what is there; either may be nil.
func (s *session) newRequest(e *endpoint, operation string, object, old map[string]any, namespace map[string]any,
	params map[string]any, info user.Info) (*request, error) {
	r := &request{tags: tags{}, authorizer: authorizer.AuthorizerFunc(stubAuthorizer(s.seed).Authorize), hasParams: s.policy.hasParams,
		namespaceSchema: s.namespaceSchema, operation: operation, typed: map[string]ref.Val{}, endpoint: e}
	// a policy's mutations find what its conditions made of the objects: typed values, since 1.37
	r.isPlain = len(s.policy.mutations) > 0 && len(s.policy.matchConditions) == 0
	for i, content := range []map[string]any{object, old} {
		if content == nil {
			continue
		}
		var change func(runtime.Object)
		if operation == "CREATE" && !s.isBefore {
			change = func(o runtime.Object) { prepare(o, e, s.kind.GroupKind()) }
		}
		o, refused, err := admitted(content, s.kind, change)
		if err != nil {
			return nil, err
		}
		r.objects[i] = o
		if custom, is := o.(*unstructured.Unstructured); is && operation == "CREATE" && !s.isBefore && s.schema != nil {
			refused = wrongEnums(refused, s.schema, "", custom.Object)
		}
		r.isRefused = r.isRefused || i == 0 && s.policy.speaksOf(refused)
		seen, err := unstructuredOf(o)
		if err != nil {
			return nil, err
		}
		r.tags.put(seen, s.arriving(r, i == 1, seen))
		if i == 0 {
			r.object = seen
		} else {
			r.oldObject = seen
		}
	}
	meta := object
	if meta == nil {
		meta = old
	}
	name, _, _ := unstructured.NestedString(meta, "metadata", "name")
	var space string
	if e.Namespaced {
		space, _, _ = unstructured.NestedString(meta, "metadata", "namespace")
		if space == "" {
			space = "default"
		}
		namespace["metadata"].(map[string]any)["name"] = space
		o, err := asAdmitted(namespace, schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, nil)
		if err != nil {
			return nil, err
		}
		r.namespace = o.(*corev1.Namespace)
	} else if s.kind.Kind == "Namespace" && s.kind.Group == "" {
		space = name // the API server takes a namespace to lie in itself
	}
	r.params = params
	if params != nil && s.paramSchema != nil {
		r.tags.put(params, s.paramSchema)
	}
	r.attributes = admission.NewAttributesRecord(r.objects[0], r.objects[1], s.kind, space, name,
		schema.GroupVersionResource{Group: e.Group, Version: e.Version, Resource: e.Resource}, e.Subresource,
		admission.Operation(operation), options(operation), false, info)
	r.reviewed = review(r.attributes, e, s.kind)
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(r.reviewed)
	if err != nil {
		return nil, err
	}
	r.tags.put(content, requestSchema(space != "", e.Subresource != ""))
	r.review = content
	return r, nil
}

// arriving is the schema of what comes.
func (s *session) arriving(r *request, isOld bool, content map[string]any) *schemaNode {
	operation := r.operation
	if s.isBefore && !isOld {
		operation = "" // nothing of it is cleared yet
	}
	return arriving(s.schema, r.endpoint, s.kind.GroupKind(), operation, isOld, content)
}

// changedRequest is the request with another object.
func (s *session) changedRequest(r *request, object runtime.Object) (*request, error) {
	changed := *r
	content, err := unstructuredOf(object)
	if err != nil {
		return nil, err
	}
	changed.object, changed.objects[0] = content, object
	changed.tags = maps.Clone(r.tags)
	changed.typed = map[string]ref.Val{}
	of := s.arriving(r, false, content)
	if data := s.schema.resolved().Properties["stringData"]; data != nil {
		of = of.without()
		of.Properties["stringData"] = data // a mutation may set it
	}
	changed.tags.put(content, of)
	s.tags = changed.tags
	a := r.attributes
	changed.attributes = admission.NewAttributesRecord(object, r.objects[1], a.GetKind(), a.GetNamespace(), a.GetName(), a.GetResource(), a.GetSubresource(),
		a.GetOperation(), a.GetOperationOptions(), false, a.GetUserInfo())
	return &changed, nil
}

// users are the senders that requests vary over.
func (g *generator) user() user.Info {
	info := &user.DefaultInfo{Name: "kubernetes-admin", Groups: []string{"system:masters", "system:authenticated"}}
	if g.chance(0.6) {
		info.Name, _ = g.text(nil).(string)
	}
	if g.chance(0.5) {
		info.UID = "b6c0a8b4"
	}
	if g.chance(0.5) {
		info.Groups = nil
		for range g.Intn(3) {
			group, _ := g.text(nil).(string)
			info.Groups = append(info.Groups, group)
		}
	}
	if g.chance(0.4) {
		info.Extra = map[string][]string{"authentication.kubernetes.io/pod-name": {"web-0"}}
		for _, key := range g.someKeys() {
			info.Extra[key] = []string{"x"}
		}
	}
	return info
}
