package oldcapacitydroppedearly_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/oldcapacitydroppedearly"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, oldcapacitydroppedearly.Detector, "testdata/*.txtar")
}
