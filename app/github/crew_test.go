package github

import (
	"errors"
	"testing"
)

// 2A-56: a panic in one of several goroutines is one in who waits, who can catch
// it; an error of another is still an error.
func TestAPanicOfACrewGoesOnInWait(t *testing.T) {
	t.Parallel()
	crew, ctx := NewCrew(t.Context(), 2)
	for range 3 {
		crew.Go(func() error { <-ctx.Done(); return ctx.Err() })
		crew.Go(func() error { panic("value") })
	}
	func() {
		defer func() {
			if v := recover(); v != "value" {
				t.Errorf("recovered %v", v)
			}
		}()
		t.Errorf("Wait returned %v", crew.Wait())
	}()
	wrong := errors.New("wrong")
	crew, _ = NewCrew(t.Context(), 1)
	crew.Go(func() error { return nil })
	crew.Go(func() error { return wrong })
	if err := crew.Wait(); err != wrong {
		t.Errorf("Wait returned %v", err)
	}
}
