package routereadbeforetrack_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/routereadbeforetrack"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, routereadbeforetrack.Detector, "testdata/*.txtar")
}
