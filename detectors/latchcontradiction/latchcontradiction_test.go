package latchcontradiction_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/latchcontradiction"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, latchcontradiction.Detector, "testdata/*.txtar")
}
