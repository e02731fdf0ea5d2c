package markdown

import (
	"regexp"
	"slices"
	"strings"
)

var (
	tagMark  = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9_:.-]*)((?:\s[^<>]*)?)(/?)>`)
	closeTag = regexp.MustCompile(`</([A-Za-z][A-Za-z0-9_:.-]*)\s*>`)
	lastTags = regexp.MustCompile(`(?:</[A-Za-z][A-Za-z0-9_:.-]*\s*>[ \t]*)+$`)
)

// A tagUse is one tag as it stands in a line.
type tagUse struct {
	name   string
	closes bool
	void   bool
}

func tagsIn(line string) []tagUse {
	var out []tagUse
	for _, m := range tagMark.FindAllStringSubmatch(line, -1) {
		out = append(out, tagUse{m[2], m[1] != "", m[4] != "" || strings.HasSuffix(m[3], "/")})
	}
	return out
}

// splitTags parts a line into its text and its tags. Tags inside prose stay in
// the text: there they are placeholders as often as marks.
func splitTags(line string) (rest string, tags []tagUse) {
	tags = tagsIn(line)
	bare := tagMark.ReplaceAllString(line, "")
	if strings.TrimSpace(bare) == "" || knownOnly(tags) {
		return bare, tags
	}
	return line, tags
}

// knownOnly reports whether all tags are HTML's, which a page never shows.
func knownOnly(tags []tagUse) bool {
	return len(tags) > 0 && !slices.ContainsFunc(tags, func(t tagUse) bool { return !isHTML(t.name) })
}

// tags opens and closes the XML-like tags of a line that holds nothing else. A
// tag that is never closed opens nothing.
func (w *walker) tags(tags []tagUse, line int) {
	w.frame.lead = nil
	for _, t := range tags {
		switch {
		case isHTML(t.name) || t.void:
		case t.closes:
			w.settle()
			w.frame.closeTag(t.name)
		case w.closers[t.name] > line:
			w.frame.path = append(w.frame.path, Element{Role: Tag, Text: "<" + t.name + ">", Line: line})
		}
	}
}

// closeTag ends the innermost tag of that name, in this container or one around
// it, and the labels in it.
func (f *frame) closeTag(name string) {
	for ; f != nil; f = f.up {
		if i := lastTag(f.path, name); i >= 0 {
			inside := slices.DeleteFunc(slices.Clone(f.path[i+1:]), func(e Element) bool { return e.Role == Label })
			f.path = append(f.path[:i], inside...)
			return
		}
		if i := lastTag(f.outer, name); i >= 0 {
			f.outer = slices.Delete(slices.Clone(f.outer), i, i+1)
		}
	}
}

func lastTag(context []Element, name string) int {
	for i, e := range slices.Backward(context) {
		if e.Role == Tag && e.Text == "<"+name+">" {
			return i
		}
	}
	return -1
}

func (f *frame) isOpen(name string) bool {
	return lastTag(f.path, name) >= 0 || lastTag(f.outer, name) >= 0
}

// tagLine returns the tags of a line of prose that holds nothing but XML-like
// ones which open or close something. To Markdown the line is more text of the
// paragraph or list item before it; its writer meant it to end that.
func (w *walker) tagLine(line string) []tagUse {
	t := strings.TrimSpace(line)
	if !strings.HasPrefix(t, "<") || !strings.HasSuffix(t, ">") {
		return nil
	}
	rest, tags := splitTags(t)
	if strings.TrimSpace(rest) != "" {
		return nil
	}
	for _, tag := range tags {
		if isHTML(tag.name) || tag.void || tag.closes && !w.frame.isOpen(tag.name) || !tag.closes && w.closers[tag.name] == 0 {
			return nil
		}
	}
	return tags
}

// trimClosers takes the marks that end open tags off the end of a line.
func (w *walker) trimClosers(line string) (rest string, closers []tagUse) {
	t := strings.TrimRight(line, " \t")
	if !strings.HasSuffix(t, ">") {
		return line, nil
	}
	at := lastTags.FindStringIndex(t)
	if at == nil {
		return line, nil
	}
	tags := tagsIn(t[at[0]:])
	for _, tag := range tags {
		if isHTML(tag.name) || !w.frame.isOpen(tag.name) {
			return line, nil
		}
	}
	return t[:at[0]], tags
}

// lastClosers tells for each tag on which line of the body it is closed last.
func lastClosers(body []byte, starts []int) map[string]int {
	out := map[string]int{}
	for _, m := range closeTag.FindAllSubmatchIndex(body, -1) {
		out[string(body[m[2]:m[3]])] = lineAt(starts, m[0])
	}
	return out
}

// isHTML reports whether the page renders the tag as markup of its own.
func isHTML(name string) bool {
	_, found := slices.BinarySearch(htmlTags(), strings.ToLower(name))
	return found
}

func htmlTags() []string {
	return strings.Fields(`a abbr b blockquote body br caption center cite code col colgroup dd del details div dl dt
em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main mark
meta nav ol p picture pre q s samp section small source span strike strong style sub summary sup table tbody td
tfoot th thead tr tt u ul var video wbr`)
}
