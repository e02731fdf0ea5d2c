package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/cardkeeper/cardkeeper/checker"
)

// writeWorkflow prints workflow commands, which GitHub Actions shows at the lines.
func writeWorkflow(w io.Writer, r checker.Report) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	level := map[checker.Level]string{checker.Error: "error", checker.Warning: "warning", checker.Notice: "notice"}
	annotations := r.Output().Annotations
	if len(annotations) == 0 && r.Failed() { // a red job needs a line that says why
		_, err := fmt.Fprintf(w, "::error title=cardkeeper::%s\n", data.Replace(r.Title))
		return err
	}
	for _, a := range annotations {
		_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,endLine=%d,title=%s::%s\n", level[a.Level],
			property.Replace(a.File), a.Line, a.End, property.Replace(a.Title), data.Replace(a.Message))
		if err != nil {
			return err
		}
	}
	for _, f := range past(r) { // without a place: Actions would show it at a line of the head
		a, _ := f.Annotation()
		_, err := fmt.Fprintf(w, "::%s title=%s::%s\n", level[a.Level], property.Replace(a.Title), data.Replace(a.Message))
		if err != nil {
			return err
		}
	}
	for _, note := range r.Coming() {
		if _, err := fmt.Fprintf(w, "::notice title=cardkeeper::%s\n", data.Replace(note)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, r.Title)
	return err
}

// past are the secrets of commits, none where they were not looked at.
func past(r checker.Report) []checker.PastFinding {
	if r.History == nil {
		return nil
	}
	return r.History.Findings
}

// The part of SARIF 2.1.0 that a code scanning page reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver struct {
			Name  string      `json:"name"`
			Rules []sarifRule `json:"rules"`
		} `json:"driver"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				Start int `json:"startLine"`
				End   int `json:"endLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
)

func writeSARIF(w io.Writer, r checker.Report) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver.Name = "cardkeeper"
	run.Tool.Driver.Rules = []sarifRule{}
	level := map[checker.Level]string{checker.Error: "error", checker.Warning: "warning", checker.Notice: "note"}
	for _, a := range r.Output().Annotations {
		run.add(a, level[a.Level])
	}
	for _, f := range past(r) {
		if a, placed := f.Annotation(); placed {
			run.add(a, level[a.Level])
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// add adds a result and, where it is new, its rule.
func (run *sarifRun) add(a checker.Annotation, level string) {
	id := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(a.Title, ": ", "/"), " ", "-"))
	if rules := &run.Tool.Driver.Rules; !slices.Contains(*rules, sarifRule{id}) {
		*rules = append(*rules, sarifRule{id})
	}
	var at sarifLocation
	at.Physical.Artifact.URI = (&url.URL{Path: a.File}).String()
	at.Physical.Region.Start, at.Physical.Region.End = a.Line, a.End
	run.Results = append(run.Results, sarifResult{id, level, sarifText{a.Message}, []sarifLocation{at}})
}
