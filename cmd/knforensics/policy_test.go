package main

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// blocks returns the examples in a text of comments: what is indented by five
// spaces or more.
func blocks(comments string) (list []string) {
	inside := false
	for line := range strings.Lines(comments) {
		text, ok := strings.CutPrefix(line, "#      ")
		switch {
		case ok && inside:
			list[len(list)-1] += text
		case ok:
			list = append(list, text)
		}
		inside = ok
	}
	return list
}

// apiServer is what kubeadm's ClusterConfiguration says of kube-apiserver.
type apiServer struct {
	APIServer struct {
		ExtraArgs    yaml.Node `yaml:"extraArgs"`
		ExtraVolumes []struct {
			Name      string
			HostPath  string `yaml:"hostPath"`
			MountPath string `yaml:"mountPath"`
			PathType  string `yaml:"pathType"`
			ReadOnly  bool   `yaml:"readOnly"`
		} `yaml:"extraVolumes"`
	} `yaml:"apiServer"`
}

// flags returns extraArgs, which are a map up to v1beta3 and a list since.
func (a *apiServer) flags(t *testing.T) map[string]string {
	t.Helper()
	flags := map[string]string{}
	if a.APIServer.ExtraArgs.Kind == yaml.MappingNode {
		decode(t, &a.APIServer.ExtraArgs, &flags)
		return flags
	}
	var list []struct{ Name, Value string }
	decode(t, &a.APIServer.ExtraArgs, &list)
	for _, f := range list {
		flags[f.Name] = f.Value
	}
	return flags
}

func decode(t *testing.T, n *yaml.Node, to any) {
	t.Helper()
	if err := n.Decode(to); err != nil {
		t.Fatal(err)
	}
}

// mounted reports an error unless kube-apiserver sees the files that its flags name.
func (a *apiServer) mounted(t *testing.T) {
	t.Helper()
	flags := a.flags(t)
	for flag, readOnly := range map[string]bool{"audit-policy-file": true, "audit-log-path": false} {
		seen := false
		for _, v := range a.APIServer.ExtraVolumes {
			seen = seen || strings.HasPrefix(flags[flag], v.MountPath+"/") && v.ReadOnly == readOnly
		}
		if flags[flag] == "" || !seen {
			t.Errorf("--%s=%s is in none of the volumes %v", flag, flags[flag], a.APIServer.ExtraVolumes)
		}
	}
}

func TestPolicyForKind(t *testing.T) {
	text, err := policyFor("kind")
	if err != nil {
		t.Fatal(err)
	}
	var cluster struct {
		Nodes []struct {
			ExtraMounts []struct {
				ContainerPath string `yaml:"containerPath"`
			} `yaml:"extraMounts"`
			Patches []string `yaml:"kubeadmConfigPatches"`
		}
	}
	if err := yaml.Unmarshal([]byte(blocks(text)[0]), &cluster); err != nil {
		t.Fatal(err)
	}
	var patch apiServer
	if err := yaml.Unmarshal([]byte(cluster.Nodes[0].Patches[0]), &patch); err != nil {
		t.Fatal(err)
	}
	patch.mounted(t)
	if got, want := cluster.Nodes[0].ExtraMounts[0].ContainerPath, patch.flags(t)["audit-policy-file"]; got != want {
		t.Errorf("kind puts the policy at %s, kube-apiserver reads %s", got, want)
	}
}

func TestPolicyForKubeadm(t *testing.T) {
	text, err := policyFor("kubeadm")
	if err != nil {
		t.Fatal(err)
	}
	var config apiServer
	if err := yaml.Unmarshal([]byte(blocks(text)[0]), &config); err != nil {
		t.Fatal(err)
	}
	config.mounted(t)
}

// Whatever the platform, what is printed is a policy, or comments alone.
func TestPolicyForAll(t *testing.T) {
	for _, p := range platforms {
		text, err := policyFor(p.name)
		if err != nil {
			t.Fatal(err)
		}
		var printed struct {
			Kind  string
			Rules []struct{ Level string }
		}
		if err := yaml.Unmarshal([]byte(text), &printed); err != nil {
			t.Errorf("%s: %s", p.name, err)
		}
		if p.managed != (printed.Kind == "") || p.managed != (len(printed.Rules) == 0) {
			t.Errorf("%s: kind %q, %d rules", p.name, printed.Kind, len(printed.Rules))
		}
	}
}
