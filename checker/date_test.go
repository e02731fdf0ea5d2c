package checker

import (
	"errors"
	"testing"
	"time"
)

// The standard library's calendar is the judge.
func TestDatesAreThoseOfTheCalendar(t *testing.T) {
	t.Parallel()
	for day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 10_000; day = day.AddDate(0, 0, 13) {
		y, m, d := day.Date()
		want := day.Format(time.DateOnly)
		got := DateOf(y, int(m), d)
		if got.String() != want {
			t.Fatalf("%s became %s", want, got)
		}
		if back, err := ParseDate(want); err != nil || back != got {
			t.Fatalf("%s was read as %s, %v", want, back, err)
		}
		if next := day.AddDate(0, 0, 90).Format(time.DateOnly); (got+90).String() != next && len(next) == 10 {
			t.Fatalf("90 days after %s is %s, not %s", want, next, got+90)
		}
	}
	if DateOf(1, 1, 1) != 1 || Date(0).String() != "YYYY-MM-DD" {
		t.Error("the first day is not 1, or zero is a day")
	}
}

func TestWhatIsNoDate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "2026", "2026-1-1", "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "2026-01-01 ", " 2026-01-01",
		"2026/01/01", "20260-1-01", "+026-01-01", "2026-+1-01", "-026-01-01", "2026-01-1x", "２０２６-01-01", "01-01-2026", "YYYY-MM-DD", "2026-01-01T00:00:00Z",
	} {
		if d, err := ParseDate(text); !errors.Is(err, ErrDate) || d != 0 {
			t.Errorf("%q was read as %s, %v", text, d, err)
		}
	}
}
