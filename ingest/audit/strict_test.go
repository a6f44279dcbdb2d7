package audit

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// TestEventIsThatOfKubernetes tells when Kubernetes adds a field, or changes one.
func TestEventIsThatOfKubernetes(t *testing.T) {
	ours, theirs := map[string]string{}, map[string]string{}
	fieldsOf(reflect.TypeFor[declared](), "", ours)
	fieldsOf(reflect.TypeFor[auditv1.Event](), "", theirs)
	for _, path := range slices.Sorted(maps.Keys(theirs)) {
		if ours[path] != theirs[path] {
			t.Errorf("%s is %s, in Kubernetes %s", path, ours[path], theirs[path])
		}
		delete(ours, path)
	}
	for path := range ours {
		t.Errorf("Kubernetes has no %s", path)
	}
	if len(theirs) < 50 {
		t.Errorf("only %d fields", len(theirs))
	}
}

// fieldsOf lists the JSON fields of a type by path, with the kinds of those that
// have no fields of their own.
func fieldsOf(typ reflect.Type, path string, list map[string]string) {
	switch {
	case reflect.PointerTo(typ).Implements(reflect.TypeFor[json.Unmarshaler]()):
		list[path] = "as it reads it"
	case typ.Kind() == reflect.Pointer:
		fieldsOf(typ.Elem(), path, list)
	case typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map:
		fieldsOf(typ.Elem(), path+"[]", list)
	case typ.Kind() != reflect.Struct:
		list[path] = typ.Kind().String()
	default:
		for _, f := range reflect.VisibleFields(typ) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && (len(f.Index) == 1 || typ.Field(f.Index[0]).Tag.Get("json") == "") {
				fieldsOf(f.Type, strings.TrimPrefix(path+"."+name, "."), list)
			}
		}
	}
}

func TestWordsOfKubernetes(t *testing.T) {
	for _, level := range []audit.Level{audit.LevelNone, audit.LevelMetadata, audit.LevelRequest, audit.LevelRequestResponse} {
		if !knownLevel(string(level)) {
			t.Errorf("level %s is not known", level)
		}
	}
	for _, stage := range []audit.Stage{audit.StageRequestReceived, audit.StageResponseStarted, audit.StageResponseComplete, audit.StagePanic} {
		if !knownStage(string(stage)) {
			t.Errorf("stage %s is not known", stage)
		}
	}
	if !IsGroup(audit.GroupName+"/v1") || IsGroup("v1") {
		t.Error("the group is another")
	}
}

// TestReasonIsThatOfKubernetes holds what is said of a wrong field against what the
// decoder of Kubernetes says.
func TestReasonIsThatOfKubernetes(t *testing.T) {
	for _, text := range []string{
		`{"auditID":5}`, `{"user":{"groups":"a"}}`, `{"user":{"extra":{"k":["v",7]}}}`, `{"objectRef":{"uid":[]}}`, `{"responseStatus":{"code":"200"}}`,
		`{"responseStatus":{"code":4294967296}}`, `{"responseStatus":{"details":{"causes":[{"field":true}]}}}`, `{"responseStatus":{"metadata":{"remainingItemCount":1.5}}}`,
		`{"stageTimestamp":5}`, `{"stageTimestamp":"yesterday"}`, `{"requestReceivedTimestamp":null}`, `{"requestObject":[1,"a"]}`, `{"annotations":{"a":{}}}`, `{`, `[]`,
	} {
		var ours declared
		_, theirs := strict([]byte(text))
		err := json.Unmarshal([]byte(text), &ours)
		if (theirs == nil) != (err == nil) || theirs != nil && reasonOf(err) != reasonOf(theirs) {
			t.Errorf("%s: %v, Kubernetes says %v", text, err, theirs)
		}
	}
}

// reasonOf returns an error without the name of the Go type.
func reasonOf(err error) string {
	before, after, ok := strings.Cut(err.Error(), "into Go struct field ")
	if !ok {
		return ""
	}
	_, after, _ = strings.Cut(after, ".")
	after, _, _ = strings.Cut(after, " of type")
	return before + after
}
