package statuswriteclobber_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/statuswriteclobber"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, statuswriteclobber.Detector, "testdata/*.txtar")
}
