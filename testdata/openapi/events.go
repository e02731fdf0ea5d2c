package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// needed finds in an event's description which permission an App must have to
// be sent it, in GitHub's own fixed sentence.
var needed = regexp.MustCompile(`at least (read|write)-level access for the "([^"]+)"`)

// eventTable lists GitHub's webhook events with the least permission that an
// App needs for each: "event permission level", the permission as the API spells
// it. The highest level named counts, since a lower one is sent only some of the
// actions. "always" stands for events that every App is sent, "-" where the
// description names no permission.
func eventTable(doc object) string {
	rows := map[string]string{}
	hooks, _ := doc["x-webhooks"].(object)
	for _, hook := range hooks {
		op, _ := child(hook, "post").(object)
		name, _ := child(op, "x-github", "subcategory").(string)
		name = strings.ReplaceAll(name, "-", "_")
		if row := eventNeed(op); name != "" && rank(row) > rank(rows[name]) {
			rows[name] = row
		}
	}
	var b strings.Builder
	b.WriteString("# event, permission, level: the least that an App must have. Made by events.go.\n")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "%s\t%s\n", name, rows[name])
	}
	return b.String()
}

func eventNeed(op object) string {
	text := fmt.Sprint(op["summary"], " ", op["description"])
	row := "-\t-"
	if strings.Contains(text, "All GitHub Apps receive this event by default") {
		row = "always\t-"
	}
	for _, m := range needed.FindAllStringSubmatch(text, -1) {
		found := strings.ReplaceAll(strings.ToLower(m[2]), " ", "_") + "\t" + m[1]
		if rank(found) > rank(row) {
			row = found
		}
	}
	return row
}

func rank(row string) int {
	switch {
	case row == "":
		return 0
	case row == "-\t-":
		return 1
	case strings.HasSuffix(row, "\tread"):
		return 3
	case strings.HasSuffix(row, "\twrite"):
		return 4
	}
	return 2
}
