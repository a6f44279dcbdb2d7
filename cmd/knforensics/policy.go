package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

//go:embed policy.yaml
var policy string

func newPolicy(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "policy",
		Short: "an audit policy that lets every detector see what it needs",
		Long: `Prints an audit policy for kube-apiserver (--audit-policy-file) with which every
detector can decide, and says what each rule is for.`,
		Example: "  knforensics policy > audit-policy.yaml",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if len(o.outputs) > 0 {
				return usagef("policy has one form only: the YAML that kube-apiserver reads")
			}
			_, err := io.WriteString(o.out, policy)
			return pipeError(err)
		},
	}
}
