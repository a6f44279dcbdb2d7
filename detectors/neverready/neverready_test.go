package neverready_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/neverready"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, neverready.Detector, "testdata/*.txtar")
}
