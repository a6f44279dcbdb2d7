package activationstuck_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/activationstuck"
	"github.com/knforensics/knforensics/detectors/detectortest"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, activationstuck.Detector, "testdata/*.txtar")
}
