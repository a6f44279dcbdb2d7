package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/knforensics/knforensics/render"
)

func newVersion(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "the version of this program",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return o.write(
				func(p *render.Page) { p.Text("knforensics " + version + " (" + runtime.Version() + ")") },
				func() any {
					return map[string]string{"name": "knforensics", "version": version, "go": runtime.Version()}
				})
		},
	}
}
