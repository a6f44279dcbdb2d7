package detectors

import "time"

// endings are the facts that tell when what a finding is about was over; null
// means that it was not.
var endings = []string{"until", "revertedAt", "resolvedAt", "lastAt", "to"}

// Course returns when what a finding is about began and when it was over, at
// the latest at the end of the data.
func (f *Finding) Course(end time.Time) (from, to time.Time) {
	for _, name := range endings {
		for _, fact := range f.Facts {
			if fact.Name != name {
				continue
			}
			switch t := fact.Value.(type) {
			case time.Time:
				return f.Time, t
			case nil:
				return f.Time, end
			}
		}
	}
	return f.Time, f.Time
}
