package checker

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Date is a day of the calendar, in UTC, counted from 1 January of the year 1,
// which is 1. Zero is no day: who does not know what day it is must not take a
// rule for valid. Dates are compared and counted like numbers.
type Date int

// ErrDate is returned for a text that names no day.
var ErrDate = errors.New("a date is written YYYY-MM-DD and must be in the calendar")

// DateOf is the day of a year, month and day, as time.Time.Date gives them.
func DateOf(year, month, day int) Date {
	if month <= 2 { // the leap day comes last in a year that begins in March
		year, month = year-1, month+12
	}
	return Date(365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 306)
}

// ParseDate reads YYYY-MM-DD, and nothing else.
func ParseDate(text string) (Date, error) {
	parts := strings.Split(text, "-")
	if len(text) != len("2006-01-02") || len(parts) != 3 || len(parts[0]) != 4 || len(parts[1]) != 2 {
		return 0, ErrDate
	}
	var n [3]int
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, ErrDate
		}
		n[i] = int(v)
	}
	d := DateOf(n[0], n[1], n[2])
	if n[0] < 1 || n[1] < 1 || n[1] > 12 || d.String() != text {
		return 0, ErrDate
	}
	return d, nil
}

// String writes YYYY-MM-DD, which is also what stands for no day.
func (d Date) String() string {
	if d <= 0 {
		return "YYYY-MM-DD"
	}
	year := int(d)/366 + 1 // never too late, and a few years too early
	for DateOf(year+1, 1, 1) <= d {
		year++
	}
	month := 1
	for month < 12 && DateOf(year, month+1, 1) <= d {
		month++
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, d-DateOf(year, month, 1)+1)
}
