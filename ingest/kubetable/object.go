package kubetable

import (
	"encoding/json"
	"strings"

	"github.com/knforensics/knforensics/ingest/lazyregexp"
)

// Object returns the JSON of the object that a row tells of, nil if the row has
// no name or its kind cannot be told.
func (t Table) Object(line []byte) []byte {
	row := t.Row(line)
	if t.index("OBJECT") >= 0 && t.index("MESSAGE") >= 0 {
		return event(row)
	}
	resource, name, prefixed := strings.Cut(row["NAME"], "/")
	kind, group := "", ""
	if prefixed {
		kind = kinds[resource]
		_, group, _ = strings.Cut(resource, ".")
	} else {
		name = row["NAME"]
		kind = t.kind(name)
		group = groups[kind]
	}
	if kind == "" || name == "" {
		return nil
	}
	apiVersion := "v1"
	if group != "" {
		apiVersion = group + "/v1"
	}
	object := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata(row, name)}
	fill(object, kind, row)
	out, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return out
}

func metadata(row map[string]string, name string) map[string]any {
	meta := map[string]any{"name": name}
	if ns := row["NAMESPACE"]; ns != "" {
		meta["namespace"] = ns
	}
	labels := map[string]string{}
	if v := row["CONFIG NAME"]; v != "" {
		labels["serving.knative.dev/configuration"] = v
	}
	if v := row["GENERATION"]; v != "" && row["CONFIG NAME"] != "" {
		labels["serving.knative.dev/configurationGeneration"] = v
	}
	if len(labels) > 0 {
		meta["labels"] = labels
	}
	return meta
}

var ofAll = lazyregexp.New(`^(\d+)/(\d+)$`)

// fill puts what the columns say where the object has it. An empty cell says
// nothing.
func fill(object map[string]any, kind string, row map[string]string) {
	status := map[string]any{}
	put := func(path, column string, number bool) {
		v := row[column]
		switch {
		case v == "" || v == "<none>" || v == "<unknown>":
		case number && isNumber(v):
			status[path] = json.Number(v)
		case !number:
			status[path] = v
		}
	}
	put("latestCreatedRevisionName", "LATESTCREATED", false)
	put("latestReadyRevisionName", "LATESTREADY", false)
	put("actualReplicas", "ACTUAL REPLICAS", true)
	put("desiredReplicas", "DESIRED REPLICAS", true)
	put("actualScale", "ACTUALSCALE", true)
	put("desiredScale", "DESIREDSCALE", true)
	switch ready := row["READY"]; {
	case ready == "True" || ready == "False" || ready == "Unknown":
		condition := map[string]string{"type": "Ready", "status": ready}
		if row["REASON"] != "" {
			condition["reason"] = row["REASON"]
		}
		status["conditions"] = []any{condition}
	case ofAll().MatchString(ready) && kind == "Deployment":
		m := ofAll().FindStringSubmatch(ready)
		status["readyReplicas"], status["replicas"] = json.Number(m[1]), json.Number(m[2])
		object["spec"] = map[string]any{"replicas": json.Number(m[2])}
	case ofAll().MatchString(ready) && kind == "Pod":
		m := ofAll().FindStringSubmatch(ready)
		status["conditions"] = []any{map[string]string{"type": "Ready", "status": map[bool]string{true: "True", false: "False"}[m[1] == m[2]]}}
		put("phase", "STATUS", false)
	}
	if kind == "ReplicaSet" {
		put("replicas", "CURRENT", true)
		put("readyReplicas", "READY", true)
		if desired := row["DESIRED"]; isNumber(desired) {
			object["spec"] = map[string]any{"replicas": json.Number(desired)}
		}
	}
	if image := row["IMAGE"]; kind == "Image" && image != "" {
		object["spec"] = map[string]any{"image": image}
	}
	if len(status) > 0 {
		object["status"] = status
	}
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

var repeated = lazyregexp.New(`\(x(\d+) over `)

// event makes an Event of a row of "kubectl get events". Its ages are left out.
func event(row map[string]string) []byte {
	resource, name, ok := strings.Cut(row["OBJECT"], "/")
	if !ok || row["REASON"] == "" {
		return nil
	}
	about := map[string]string{"name": name, "kind": kinds[resource]}
	if about["kind"] == "" {
		about["kind"] = strings.ToUpper(resource[:min(1, len(resource))]) + resource[min(1, len(resource)):]
	}
	meta := map[string]string{"name": name + "." + row["REASON"]}
	if ns := row["NAMESPACE"]; ns != "" {
		about["namespace"], meta["namespace"] = ns, ns
	}
	e := map[string]any{"apiVersion": "v1", "kind": "Event", "metadata": meta, "involvedObject": about,
		"type": row["TYPE"], "reason": row["REASON"], "message": row["MESSAGE"]}
	if m := repeated().FindStringSubmatch(row["LAST SEEN"]); m != nil {
		e["count"] = json.Number(m[1])
	}
	out, err := json.Marshal(e)
	if err != nil {
		return nil
	}
	return out
}
