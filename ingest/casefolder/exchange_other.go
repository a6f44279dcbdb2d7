//go:build !linux

package casefolder

import "errors"

func exchange(string, string) error { return errors.ErrUnsupported }
