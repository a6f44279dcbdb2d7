package latestreadymovedback_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/latestreadymovedback"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, latestreadymovedback.Detector, "testdata/*.txtar")
}
