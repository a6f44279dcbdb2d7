package initialscaleregression_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/initialscaleregression"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, initialscaleregression.Detector, "testdata/*.txtar")
}
