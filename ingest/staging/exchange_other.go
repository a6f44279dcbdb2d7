//go:build !linux

package staging

import "errors"

func exchange(string, string) error { return errors.ErrUnsupported }
