//go:build !linux

package inplace

import (
	"errors"
	"os"
)

func mapped(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) error { return nil }

func release([]byte) {}
