package ingressnotready_test

import (
	"testing"

	"github.com/knforensics/knforensics/detectors/detectortest"
	"github.com/knforensics/knforensics/detectors/ingressnotready"
)

func TestCases(t *testing.T) {
	detectortest.Run(t, ingressnotready.Detector, "testdata/*.txtar")
}
