package latestreadystale_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/latestreadystale"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, latestreadystale.Detector, "testdata/*.txtar")
}
