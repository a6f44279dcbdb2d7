package skippedreconcilepa_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/skippedreconcilepa"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, skippedreconcilepa.Detector, "testdata/*.txtar")
}
