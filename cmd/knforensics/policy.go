package main

import (
	"embed"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed policy.yaml
var policy string

// steps has a file of comments for each platform: how its audit log is switched on and
// collected.
//
//go:embed platform
var steps embed.FS

// platforms are those that policy knows. The managed ones take no policy.
var platforms = []struct {
	name    string
	managed bool
}{{"kind", false}, {"kubeadm", false}, {"k3s", false}, {"eks", true}, {"gke", true}, {"aks", true}}

func newPolicy(o *options) *cobra.Command {
	var platform string
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "an audit policy that lets every detector see what it needs",
		Long: `Prints an audit policy for kube-apiserver (--audit-policy-file) with which every
detector can decide, and says what each rule is for.

With --for the steps that switch it on are at its head, as comments. eks, gke and
aks take no policy: for those there are the steps alone, and what is missing then.`,
		Example: `  knforensics policy > audit-policy.yaml
  knforensics policy --for kind > audit-policy.yaml`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if len(o.outputs) > 0 {
				return usagef("policy has one form only: the YAML that kube-apiserver reads")
			}
			text, err := policyFor(platform)
			if err != nil {
				return err
			}
			_, err = io.WriteString(o.out, text)
			return pipeError(err)
		},
	}
	cmd.Flags().StringVar(&platform, "for", "", "with the steps for a `PLATFORM`: "+strings.Join(platformNames(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("for", cobra.FixedCompletions(platformNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func platformNames() (names []string) {
	for _, p := range platforms {
		names = append(names, p.name)
	}
	return names
}

// policyFor returns the policy with the steps for a platform; alone if that is empty.
func policyFor(platform string) (string, error) {
	if platform == "" {
		return policy, nil
	}
	i := slices.Index(platformNames(), platform)
	if i < 0 {
		return "", unknown("platform", platform, platformNames())
	}
	head, err := steps.ReadFile("platform/" + platform + ".yaml")
	if err != nil || platforms[i].managed {
		return string(head), err
	}
	return string(head) + policy, nil
}
