package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"

	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
	trace "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/knforensics/knforensics/render"
)

// line writes a message as a line of OTLP's JSON: that of protobuf, but with numbers
// for enums, and with hexadecimal digits for the IDs of traces and spans
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), for which
// readable has to be called first.
func line(w io.Writer, m proto.Message) error {
	text, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
	if err != nil {
		return err
	}
	return render.WriteJSONLine(w, json.RawMessage(text))
}

// readable gives messages IDs that read as hexadecimal digits in JSON. They are of no
// use in protobuf then.
func readable(traces *trace.TracesData, records *logs.LogsData) {
	for _, r := range traces.ResourceSpans {
		for _, s := range r.ScopeSpans[0].Spans {
			s.TraceId, s.SpanId, s.ParentSpanId = digits(s.TraceId), digits(s.SpanId), digits(s.ParentSpanId)
		}
	}
	for _, r := range records.ResourceLogs {
		for _, l := range r.ScopeLogs[0].LogRecords {
			l.TraceId, l.SpanId = digits(l.TraceId), digits(l.SpanId)
		}
	}
}

// digits returns the bytes that are written in base64, which is how protobuf's JSON has
// bytes, as the hexadecimal digits of an ID.
func digits(id []byte) []byte {
	b, _ := base64.StdEncoding.DecodeString(hex.EncodeToString(id)) // a multiple of four digits, all of base64
	return b
}
