package redact

import (
	"strings"
	"sync"
)

// memo remembers what became of tokens, since most stand in a log many times.
type memo struct {
	mu    sync.RWMutex
	known map[memoKey]string
}

type memoKey struct {
	token string
	stays judge
}

// once returns what a token became, and finds it out if it is not known.
func (m *memo) once(key memoKey, find func() string) string {
	m.mu.RLock()
	out, ok := m.known[key]
	m.mu.RUnlock()
	if ok {
		return out
	}
	out = find()
	const longest = 256
	if len(key.token) > longest {
		return out
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	const most = 1 << 15
	if m.known == nil || len(m.known) >= most {
		m.known = make(map[memoKey]string)
	}
	key.token = strings.Clone(key.token)
	m.known[key] = out
	return out
}
