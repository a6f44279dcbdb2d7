package imagecachewedge_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/imagecachewedge"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, imagecachewedge.Detector, "testdata/*.txtar")
}
