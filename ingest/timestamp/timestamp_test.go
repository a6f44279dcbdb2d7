package timestamp

import (
	"fmt"
	"testing"
	"time"
)

var texts = []string{
	"2026-11-30T06:36:48Z", "2026-11-30T06:36:48.9Z", "2026-11-30T06:36:48.93546Z", "2026-11-30T06:36:48.935463Z",
	"2026-11-30T06:36:48.93546339Z", "2026-11-30T06:36:48.935463391Z", "2026-11-30T06:36:48.9354633919Z", "2026-11-30T06:36:48.935463391999Z",
	"2026-11-30T06:36:48+08:00", "2026-11-30T06:36:48.935463-07:30", "2026-11-30T06:36:48.5+0800", "2026-11-30T06:36:48+24:00",
	"0000-01-01T00:00:00Z", "0000-02-29T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.5Z",
	"2000-02-29T12:00:00Z", "1900-02-29T12:00:00Z", "2026-02-29T12:00:00Z", "2028-02-29T12:00:00Z", "2026-04-31T12:00:00Z", "2026-12-32T12:00:00Z",
	"2026-00-10T12:00:00Z", "2026-13-10T12:00:00Z", "2026-10-00T12:00:00Z", "2026-10-10T24:00:00Z", "2026-10-10T23:60:00Z", "2026-10-10T23:59:60Z",
	"2026-11-30T6:36:48Z", "2026-11-30T06:36:48,5Z", "2026-11-30T06:36:48.Z", "2026-11-30T06:36:48.5", "2026-11-30T06:36:48", "2026-11-30T06:36:4Z",
	"2026-11-30t06:36:48z", "2026-11-30 06:36:48Z", "2026/11/30T06:36:48Z", "2026-11-30T06:36:48ZZ", "2026-11-30T06:36:48.12x45Z", "2026-11-30T06:36:48.12345678xZ",
	"202\xb0-11-30T06:36:48Z", "2026-11\x8030T06:36:48.9Z", "2026-11-3:T06:36:48Z", "2026-11-30T06\xba36:48Z", "2026-11-30T06:36:48.\xb0Z", "-026-11-30T06:36:48Z", "Z", "", "1772454279.87",
}

func TestParseAgreesWithTime(t *testing.T) {
	for _, text := range texts {
		check(t, text)
	}
	for day := time.Date(-1, 12, 1, 23, 59, 58, 987654321, time.UTC); day.Year() < 10000; day = day.Add(167*time.Hour + 59*time.Minute) {
		check(t, day.Format(time.RFC3339Nano))
	}
	for year := range 401 {
		for month := range 14 {
			for day := 28; day < 33; day++ {
				check(t, fmt.Sprintf("%04d-%02d-%02dT00:00:00Z", 1800+year, month, day))
			}
		}
	}
}

// FuzzParse: Parse and time.Parse agree.
func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(check)
}

func check(t *testing.T, text string) {
	t.Helper()
	got, ok := Parse([]byte(text))
	want, err := time.Parse(time.RFC3339Nano, text)
	if ok != (err == nil) || ok && got != want.UTC() || !ok && !got.IsZero() {
		t.Fatalf("%q is read as %v, %v, by time.Parse as %v, %v", text, got, ok, want, err)
	}
}

func TestParseAllocatesNothing(t *testing.T) {
	text := []byte("2026-11-30T06:36:48.935463Z")
	if n := testing.AllocsPerRun(100, func() { Parse(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"2026-11-30T06:36:48Z", "2026-11-30T06:36:48.935463Z", "2026-11-30T06:36:48.935463391Z", "2026-11-30T06:36:48.935463+08:00"} {
		b.Run(text, func(b *testing.B) {
			data := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				Parse(data)
			}
		})
	}
}

func BenchmarkTimeParse(b *testing.B) {
	for b.Loop() {
		_, _ = time.Parse(time.RFC3339Nano, "2026-11-30T06:36:48.935463Z")
	}
}
