package main

import "github.com/spf13/cobra"

func newCheck(o *options) *cobra.Command { return &cobra.Command{Use: "check"} }
