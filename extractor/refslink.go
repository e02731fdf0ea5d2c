package extractor

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/cardkeeper/cardkeeper/extractor/card"
	"github.com/cardkeeper/cardkeeper/extractor/markdown"
)

// notPath is a target that is no path: an address or a drive, a home folder, a
// command with a colon, figures in round brackets, a word that stands for a target.
var notPath = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:|//|~|/[\w-]+:|[\d:,.]+$|(?i:link|url|uri|href|path|target|image|source|src|file|here)$)`)

// link judges a link's target: the file first, then the heading in it.
func (j *judge) link(p *page, m markdown.Mark) error {
	target := strings.TrimSpace(m.Text)
	file, fragment, _ := strings.Cut(target, "#")
	file, _, _ = strings.Cut(file, "?")
	if target == "" || notPath.MatchString(target) || template(strings.ReplaceAll(file+fragment, "%", "")) {
		return nil
	}
	name, ok := p.resolve(file)
	if !ok || formPage.MatchString(p.file) && (strings.HasSuffix(file, "/") || !j.inside(name)) {
		return nil
	}
	found, err := j.names.at(name)
	if err != nil {
		return err
	}
	if found == absent && strings.HasPrefix(file, "/") {
		top, _, _ := strings.Cut(name, "/")
		if above, err := j.names.at(top); err != nil || above == absent {
			return err // a path of a web site
		}
	}
	if file != "" {
		j.tell(p, LinkReference, m.Line, target, found == absent)
	}
	if to := j.pages[name]; to != nil && found != absent && judgedFragment(fragment) {
		j.tell(p, AnchorReference, m.Line, target, !to.has(fragment))
	}
	return nil
}

// formPage is a file that is made to be copied elsewhere, where its links to other
// folders will lead to what is there.
var formPage = regexp.MustCompile(`(?i)(?:^|/)(?:assets|templates?)/|template[^/]*$`)

// inside reports whether a path lies in the skill's folder.
func (j *judge) inside(name string) bool {
	return j.files.Path == "." || strings.HasPrefix(name, j.files.Path+"/")
}

// resolve gives a link's path from the root, and false for one that leaves it.
func (p *page) resolve(file string) (string, bool) {
	if file == "" {
		return p.file, true
	}
	plain, err := url.PathUnescape(file)
	if err != nil || template(plain) {
		return "", false
	}
	name := path.Join(p.folder(), plain)
	if strings.HasPrefix(plain, "/") {
		name = path.Join(".", strings.TrimLeft(plain, "/"))
	}
	return name, name != ".." && !strings.HasPrefix(name, "../")
}

// elsewhere is a fragment that is no heading's: the page's top, its lines, words in it.
var elsewhere = regexp.MustCompile(`^(?:top|L\d+.*|:~:.*|user-content-.*|fn.*)?$`)

func judgedFragment(fragment string) bool { return !elsewhere.MatchString(fragment) }

// has reports whether a heading or a named place of the page has the fragment.
func (p *page) has(fragment string) bool {
	if p.slugs == nil {
		p.slugs = slugs(p.trace)
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	return p.slugs[slugKey(fragment)]
}

// slugs are the fragments under which GitHub shows the headings. Of headings with
// one text the second has -1, the third -2. Where the text can be read in two ways both count.
func slugs(t markdown.Trace) map[string]bool {
	out := map[string]bool{}
	times := map[string]int{}
	for _, name := range t.Anchors {
		out[slugKey(name)] = true
	}
	for _, h := range t.Headings {
		for i, text := range []string{h.Text, emphasis.ReplaceAllString(h.Text, "$1"), htmlTag.ReplaceAllString(h.Text, "")} {
			slug := slugKey(card.Anchor(text))
			if i > 0 && out[slug] {
				continue
			}
			n := times[slug]
			times[slug]++
			out[suffixed(slug, n)] = true
		}
	}
	return out
}

var (
	// emphasis is a word between underscores, which are no part of the heading that a page shows.
	emphasis = regexp.MustCompile(`\b__?([^_\s][^_]*)__?\b`)
	htmlTag  = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)
)

// slugKey is a fragment without what browsers and writers treat differently:
// case, and the invisible parts of an emoji.
func slugKey(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\ufe0f' || r == '\u200d' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

func suffixed(slug string, n int) string {
	if n == 0 {
		return slug
	}
	return slug + "-" + strconv.Itoa(n)
}
