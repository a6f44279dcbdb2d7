package controllerlog

// member is a member of the object that zap writes, by its key.
type member uint8

const (
	memberOther member = iota
	memberSeverity
	memberLevel
	memberTimestamp
	memberTS
	memberTime
	memberLogger
	memberCaller
	memberMessage
	memberMsg
	memberError
	memberDuration
	memberController
	memberKind
	memberKey
	memberTraceID
	memberPod
	memberCount
)

// starts has how each member is written up to a string that is its value. An
// empty key is none that is known.
var starts = [memberCount]string{
	memberOther:      `"":"`,
	memberSeverity:   `"severity":"`,
	memberLevel:      `"level":"`,
	memberTimestamp:  `"timestamp":"`,
	memberTS:         `"ts":"`,
	memberTime:       `"time":"`,
	memberLogger:     `"logger":"`,
	memberCaller:     `"caller":"`,
	memberMessage:    `"message":"`,
	memberMsg:        `"msg":"`,
	memberError:      `"error":"`,
	memberDuration:   `"duration":"`,
	memberController: `"knative.dev/controller":"`,
	memberKind:       `"knative.dev/kind":"`,
	memberKey:        `"knative.dev/key":"`,
	memberTraceID:    `"knative.dev/traceid":"`,
	memberPod:        `"knative.dev/pod":"`,
}

// memberOf returns the member that has a key.
func memberOf(key []byte) member {
	for m := memberOther + 1; m < memberCount; m++ {
		if start := starts[m]; string(key) == start[1:len(start)-len(`":"`)] {
			return m
		}
	}
	return memberOther
}
