package extractor

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// languages are those that documentation is translated to, by their ISO 639-1
// codes. Codes that are as common as file extensions are not among them: "cs", "sh", "ts".
const languages = " ar bg bn ca da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nb nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh "

// translated is a Markdown file's name with a language before its extension,
// alone or with a country or a script: "README.ja.md", "a.zh-TW.md".
var translated = regexp.MustCompile(`^(.+)\.([a-z]{2})(?:[-_](?:[A-Za-z]{2}|[A-Z][a-z]{3}))?(\.[A-Za-z]+)$`)

// translations lists the skill's Markdown files that say in another language
// what a file beside them says: a card speaks one language.
func (s SkillFiles) translations() []string {
	var out []string
	for _, file := range s.Files {
		dir, name := path.Split(file)
		m := translated.FindStringSubmatch(name)
		if m == nil || !IsMarkdown(file) || !strings.Contains(languages, " "+m[2]+" ") {
			continue
		}
		if _, beside := slices.BinarySearch(s.Files, dir+m[1]+m[3]); beside {
			out = append(out, file)
		}
	}
	return out
}

// noteTranslations names the translations of a skill in one note.
func (r *reader) noteTranslations() {
	if files := r.files.translations(); len(files) > 0 {
		r.note(Skipped, files[0], 0, fmt.Sprintf("a translation of the file beside it is not indexed; this skill has %d", len(files)))
	}
}
