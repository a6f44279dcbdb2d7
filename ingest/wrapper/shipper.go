package wrapper

import "bytes"

const (
	dockerStart = `{"log":"`
	// dockerSize is where Docker cuts a line: its parts are entries of their own,
	// of which only the last one ends in a line end (moby daemon/logger/copier.go).
	dockerSize = 16 << 10
)

// dockerPart tells the stream of an entry and whether the next one goes on.
func dockerPart(line []byte) (stream string, more bool) {
	text, after, ok := cutLast(line, []byte(`","stream":"`))
	name, _, closed := bytes.Cut(after, []byte{'"'})
	if !ok || !closed {
		return "", false
	}
	text = text[len(dockerStart):]
	before := bytes.TrimSuffix(text, []byte{'n'})
	escapes := len(before) - len(bytes.TrimRight(before, `\`))
	ended := len(before) < len(text) && escapes%2 == 1
	return string(name), !ended && len(text) >= dockerSize
}

func cutLast(text, sep []byte) (before, after []byte, found bool) {
	i := bytes.LastIndex(text, sep)
	if i < len(dockerStart) {
		return text, nil, false
	}
	return text[:i], text[i+len(sep):], true
}

// IsParts reports whether a record is several entries of Docker's.
func IsParts(record []byte) bool {
	return bytes.HasPrefix(record, []byte(dockerStart)) && bytes.Contains(record, []byte("\n"+dockerStart))
}

// joinDocker joins the entries that are parts of one line, those of the first
// one's stream; nil if it is no such record.
func joinDocker(record []byte) (text []byte) {
	if !IsParts(record) {
		return nil
	}
	head, _, _ := bytes.Cut(record, []byte{'\n'})
	first, _ := Part(head)
	var o Opener
	for line := range bytes.Lines(record) {
		line = bytes.TrimSpace(line)
		if stream, _ := Part(line); stream != first || !o.read(line) {
			continue
		}
		if part, ok := o.text("log"); ok {
			text = append(text, part...)
		}
	}
	return text
}

// docker is a line of the json-file driver: {"log":"…\n","stream":"stdout","time":"…"}.
func docker(o *Opener) []Inner {
	if text, ok := o.text("log"); ok && o.has("stream", "time") {
		return []Inner{{Data: text}}
	}
	return nil
}

// vector is an event of Vector's file or kubernetes_logs source.
func vector(o *Opener) []Inner {
	if text, ok := o.text("message"); ok && o.has("source_type") {
		return []Inner{{Data: text}}
	}
	return nil
}

// fluent is a record of fluentd or fluent-bit: the line, or the record itself,
// under "log" or "message".
func fluent(o *Opener) []Inner {
	if o.has("caller") || o.has("logger") {
		return nil // a log line of zap, whose message happens to be JSON
	}
	for _, name := range []string{"log", "message", "MESSAGE"} {
		if text, ok := o.text(name); ok && startsRecord(text) {
			return []Inner{{Data: text}}
		}
		if raw := o.members[name]; name != "message" && len(raw) > 0 && raw[0] == '{' {
			return []Inner{{Data: raw}}
		}
	}
	return nil
}

// loki is a line of "logcli --output=jsonl", or the answer to a query.
func loki(o *Opener) (inner []Inner) {
	if text, ok := o.text("line"); ok && o.has("labels") {
		return []Inner{{Data: text}}
	}
	results := o.members["result"]
	if data := object(o.members["data"]); data != nil {
		results = data["result"]
	}
	for _, result := range elements(results) {
		stream := object(result)
		if stream["stream"] == nil {
			continue
		}
		for _, value := range elements(stream["values"]) {
			if pair := elements(value); len(pair) >= 2 {
				inner = append(inner, record(pair[1])...)
			}
		}
	}
	return inner
}

// elasticsearch is a hit, or the answer to a search.
func elasticsearch(o *Opener) (inner []Inner) {
	if source := o.members["_source"]; source != nil {
		return hit(source)
	}
	hits := object(o.members["hits"])
	for _, raw := range elements(hits["hits"]) {
		inner = append(inner, recordOr(hit(object(raw)["_source"]), raw)...)
	}
	return inner
}

// hit finds the record in the source of a hit: an audit event below
// kubernetes.audit, a line, or the source itself.
func hit(source []byte) []Inner {
	members := object(source)
	if audit := object(members["kubernetes"])["audit"]; len(audit) > 0 && audit[0] == '{' {
		return []Inner{{Data: audit}}
	}
	for _, name := range []string{"message", "log"} {
		if text, ok := content(members[name]); ok && isRecord(text) {
			return []Inner{{Data: text}}
		}
	}
	if members != nil {
		return []Inner{{Data: source}}
	}
	return nil
}

// otlp is a batch of OpenTelemetry log records.
func otlp(o *Opener) (inner []Inner) {
	for _, resource := range elements(o.members["resourceLogs"]) {
		for _, scope := range elements(object(resource)["scopeLogs"]) {
			for _, rec := range elements(object(scope)["logRecords"]) {
				body := object(object(rec)["body"])
				inner = append(inner, recordOr(record(body["stringValue"]), rec)...)
			}
		}
	}
	return inner
}

// viaq is a line in the data model of OpenShift's logging. An audit event in it
// is no wrapper: it is the event, with some members added.
func viaq(o *Opener) []Inner {
	if !o.has("@timestamp") || !o.has("openshift") && !o.has("log_type") && !o.has("kubernetes") {
		return nil
	}
	if text, ok := o.text("message"); ok {
		return []Inner{{Data: text}}
	}
	return nil
}

// watchEvent is a line of "kubectl get --watch -o json --output-watch-events":
// not a wrapper that someone put around a log, but an object and what befell it.
func watchEvent(o *Opener) []Inner {
	if raw := o.members["object"]; len(o.members) == 2 && o.has("type") && len(raw) > 0 && raw[0] == '{' {
		return []Inner{{Data: raw}}
	}
	return nil
}
