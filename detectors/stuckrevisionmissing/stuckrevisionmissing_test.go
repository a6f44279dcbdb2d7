package stuckrevisionmissing_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/stuckrevisionmissing"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, stuckrevisionmissing.Detector, "testdata/*.txtar")
}
