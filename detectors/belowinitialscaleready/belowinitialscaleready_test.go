package belowinitialscaleready_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/belowinitialscaleready"
	"github.com/knforensics/knforensics/detectors/detectortest"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, belowinitialscaleready.Detector, "testdata/*.txtar")
}
