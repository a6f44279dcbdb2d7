package audit

import "strings"

// Reference is the object that a request is about, as its path tells
// (k8s.io/apiserver pkg/endpoints/request/requestinfo.go). Name is empty where it
// names none, all where it is of no resource.
type Reference struct{ Group, Version, Resource, Namespace, Name, Subresource string }

// ReferenceOf reads the path of a URI.
func ReferenceOf(uri string) (r Reference) {
	path, _, _ := strings.Cut(uri, "?")
	root, rest, _ := strings.Cut(strings.Trim(path, "/"), "/")
	switch root {
	case "api":
		r.Version, rest, _ = strings.Cut(rest, "/")
	case "apis":
		r.Group, rest, _ = strings.Cut(rest, "/")
		r.Version, rest, _ = strings.Cut(rest, "/")
	default:
		return r
	}
	if rest == "" {
		return Reference{}
	}
	resource, below, _ := strings.Cut(rest, "/")
	if resource == "watch" {
		resource, below, _ = strings.Cut(below, "/")
	}
	if namespace, inside, ok := strings.Cut(below, "/"); ok && resource == "namespaces" && !ofNamespace(inside) {
		r.Namespace = namespace
		resource, below, _ = strings.Cut(inside, "/")
	}
	r.Resource = resource
	r.Name, below, _ = strings.Cut(below, "/")
	r.Subresource, _, _ = strings.Cut(below, "/")
	return r
}

// ofNamespace reports whether what follows a namespace is a subresource of it.
func ofNamespace(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first == "status" || first == "finalize"
}
