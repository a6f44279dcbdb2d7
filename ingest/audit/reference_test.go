package audit

import "testing"

func TestReferenceOf(t *testing.T) {
	for uri, want := range map[string]Reference{
		"/api/v1/pods":                                    {Version: "v1", Resource: "pods"},
		"/api/v1/namespaces/n":                            {Version: "v1", Resource: "namespaces", Name: "n"},
		"/api/v1/namespaces/n/status":                     {Version: "v1", Resource: "namespaces", Name: "n", Subresource: "status"},
		"/api/v1/namespaces/n/finalize?a=/b":              {Version: "v1", Resource: "namespaces", Name: "n", Subresource: "finalize"},
		"/api/v1/namespaces/n/configmaps?limit=5":         {Version: "v1", Resource: "configmaps", Namespace: "n"},
		"/api/v1/watch/namespaces/n/pods/p":               {Version: "v1", Resource: "pods", Namespace: "n", Name: "p"},
		"/api/v1/nodes/a/proxy/b/c":                       {Version: "v1", Resource: "nodes", Name: "a", Subresource: "proxy"},
		"/apis/apps/v1/namespaces/n/deployments/d/scale/": {Group: "apps", Version: "v1", Resource: "deployments", Namespace: "n", Name: "d", Subresource: "scale"},
		"/apis/apps/v1":                                   {}, "/apis/apps": {}, "/api": {}, "/healthz": {}, "/": {}, "": {}, "/openapi/v3/apis/apps/v1": {},
	} {
		if got := ReferenceOf(uri); got != want {
			t.Errorf("%s: %+v, want %+v", uri, got, want)
		}
	}
}
