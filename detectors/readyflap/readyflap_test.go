package readyflap_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/readyflap"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, readyflap.Detector, "testdata/*.txtar")
}
