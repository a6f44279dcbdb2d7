package latestreadylatch_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/latestreadylatch"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, latestreadylatch.Detector, "testdata/*.txtar")
}
