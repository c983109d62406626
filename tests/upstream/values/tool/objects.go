package main

import (
	"encoding/json"
	"io"
	"math/rand"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

var (
	texts      = []string{"", "a", "a", "b", "é", "1", "name"}
	quantities = []string{"0", "1", "1Gi", "1073741824", "500m", "1e3", "1k", "0.5"}
	times      = []int64{0, 1700000000, 1700000001}
	fields     = []string{`{}`, `{"f:a":{}}`, `{"f:a":{"f:b":{}}}`}
	raws       = []string{`{}`, `{"a":1}`, `{"a":[1,2],"b":null}`, `[1]`, `"a"`, `null`}
)

var stable = regexp.MustCompile(`^v[0-9]+$`)

// filler fills values of Go by chance, from few values, so that many of them are equal.
type filler struct{ *rand.Rand }

func pick[T any](f filler, from []T) T { return from[f.Intn(len(from))] }

// What has a form of its own; false: it has none.
func (f filler) special(v reflect.Value) bool {
	switch p := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*p = resource.MustParse(pick(f, quantities))
	case *metav1.Time:
		if f.Intn(4) != 0 {
			*p = metav1.Unix(pick(f, times), 0)
		}
	case *metav1.MicroTime:
		*p = metav1.NewMicroTime(time.Unix(pick(f, times), 5000))
	case *metav1.Duration:
		p.Duration = time.Duration(pick(f, times))
	case *metav1.FieldsV1:
		p.UnmarshalJSON([]byte(pick(f, fields)))
	case *intstr.IntOrString:
		*p = pick(f, []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromString("1"), intstr.FromString("25%")})
	case *runtime.RawExtension:
		p.UnmarshalJSON([]byte(pick(f, raws)))
	default:
		return false
	}
	return true
}

func (f filler) fill(v reflect.Value, depth int) {
	if f.special(v) {
		return
	}
	room := f.Intn(3)
	if depth > 9 {
		room = 0
	}
	switch v.Kind() {
	case reflect.Pointer:
		if room != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				f.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if f.Intn(5) != 0 {
			v.Set(reflect.MakeSlice(v.Type(), room, room))
		}
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		if f.Intn(5) != 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range room {
				key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				f.fill(key, depth+1)
				f.fill(item, depth+1)
				v.SetMapIndex(key, item)
			}
		}
	case reflect.String:
		v.SetString(pick(f, texts))
	case reflect.Bool:
		v.SetBool(room != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(room))
	case reflect.Uint8:
		v.SetUint(uint64('a' + room))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(room))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(room) / 2)
	case reflect.Interface:
	default:
		panic(v.Type().String())
	}
}

// The kinds of client-go's scheme that can be objects of a request; older and newer versions are not served.
func kinds() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for kind, t := range scheme.Scheme.AllKnownTypes() {
		_, has := t.FieldByName("ObjectMeta")
		if has && stable.MatchString(kind.Version) && kind.Group != "extensions" {
			all = append(all, kind)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].String() < all[j].String() })
	return all
}

// A pointer to a time that is zero is written as null, and read as none.
func roundTrip(object runtime.Object) (map[string]any, error) {
	plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	again := reflect.New(reflect.TypeOf(object).Elem()).Interface()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(plain, again); err != nil {
		return nil, err
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(again)
}

// One line for each object: as the API server writes it.
func writeObjects(out io.Writer, seed, count int64) error {
	f, all := filler{rand.New(rand.NewSource(seed))}, kinds()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for i := range count {
		object, err := scheme.Scheme.New(all[(seed+i/2)%int64(len(all))])
		if err != nil {
			return err
		}
		f.fill(reflect.ValueOf(object).Elem(), 0)
		object.GetObjectKind().SetGroupVersionKind(all[(seed+i/2)%int64(len(all))])
		plain, err := roundTrip(object)
		if err != nil {
			return err
		}
		if err := encoder.Encode(plain); err != nil {
			return err
		}
	}
	return nil
}

func makeObjects(out io.Writer, arguments []string) error {
	seed, err := strconv.ParseInt(arguments[0], 10, 64)
	if err != nil {
		return err
	}
	count, err := strconv.ParseInt(arguments[1], 10, 64)
	if err != nil {
		return err
	}
	return writeObjects(out, seed, count)
}
