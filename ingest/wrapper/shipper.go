package wrapper

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
	if data := o.object(o.members["data"]); data != nil {
		results = data["result"]
	}
	for _, result := range o.elements(results) {
		stream := o.object(result)
		if stream["stream"] == nil {
			inner = append(inner, Inner{Data: result})
			continue
		}
		for _, value := range o.elements(stream["values"]) {
			pair := append(elements(value), nil, nil)
			inner = append(inner, of(stream, line(pair[1], value))...)
		}
	}
	return inner
}

// elasticsearch is a hit, or the answer to a search.
func elasticsearch(o *Opener) (inner []Inner) {
	if source := o.members["_source"]; source != nil {
		return of(object(source), hit(source))
	}
	hits := o.object(o.members["hits"])
	for _, raw := range o.elements(hits["hits"]) {
		source := object(raw)["_source"]
		inner = append(inner, recordOr(of(object(source), hit(source)), raw)...)
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
	for _, raw := range o.elements(o.members["resourceLogs"]) {
		resource := o.object(raw)
		for _, scope := range o.elements(resource["scopeLogs"]) {
			for _, rec := range o.elements(o.object(scope)["logRecords"]) {
				body := object(object(rec)["body"])
				inner = append(inner, of(resource, line(body["stringValue"], rec))...)
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
