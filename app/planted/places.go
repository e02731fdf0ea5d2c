package planted

import (
	"fmt"
	"maps"
	"strings"
)

// A place is somewhere in a repository where text can stand.
type place struct {
	name string
	bare bool // only for a value that needs no label and fits into a name
	// plant returns files that hold the value; dir is the folder of a skill.
	plant func(dir string, k Kind) map[string]string
}

// places is the table of them: a new one is a line.
func places() []place {
	const hand = "<!-- cardkeeper edition 1 -->\n# a\n\n## Setup\n\n### SKILL.md › A skill\n\n- "
	return []place{
		{"a statement", false, func(d string, k Kind) map[string]string { return skill(d, "- "+k.Text+"\n") }},
		{"a block", false, func(d string, k Kind) map[string]string { return skill(d, k.Block) }},
		{"a block of another file", false, func(d string, k Kind) map[string]string { return with(d, "references/more.md", k.Block) }},
		{"a heading", false, func(d string, k Kind) map[string]string { return skill(d, "## The "+k.Text+"\n\n- a statement\n") }},
		{"a lead-in", false, func(d string, k Kind) map[string]string { return skill(d, "With "+k.Text+" now:\n\n- a statement\n") }},
		{"a parent item", false, func(d string, k Kind) map[string]string { return skill(d, "- "+k.Text+"\n  - a child\n") }},
		{"a step", false, func(d string, k Kind) map[string]string { return skill(d, "1. first\n2. "+k.Text+"\n3. third\n") }},
		{"a hidden comment", false, func(d string, k Kind) map[string]string { return skill(d, "<!--\n"+k.Block+"-->\n\n- a statement\n") }},
		{"a table's head", false, func(d string, k Kind) map[string]string {
			return skill(d, "| "+k.Text+" | b |\n|---|---|\n| c | d |\n")
		}},
		{"a table's cell", false, func(d string, k Kind) map[string]string {
			return skill(d, "| a | b |\n|---|---|\n| c | "+k.Text+" |\n")
		}},
		{"a command line", false, func(d string, k Kind) map[string]string { return skill(d, "```sh\nmake all\n"+k.Text+"\n```\n") }},
		{"an example", false, func(d string, k Kind) map[string]string { return skill(d, "```python\nx = 1\n# "+k.Text+"\n```\n") }},
		{"the description", false, func(d string, k Kind) map[string]string { return headed(d, "description: "+Single(k.Text)) }},
		{"another field of the head", false, func(d string, k Kind) map[string]string { return headed(d, "metadata:\n  note: "+Single(k.Text)) }},
		{"a broken head", false, func(d string, k Kind) map[string]string { return headed(d, "key: [\n  "+k.Text) }},
		{"a comment of a script", false, func(d string, k Kind) map[string]string { return with(d, "run.sh", script("# "+k.Text, "fast")) }},
		{"what is no card", false, func(d string, k Kind) map[string]string {
			return map[string]string{"cards/" + strings.ReplaceAll(d, "/", "-") + ".md": k.Block}
		}},
		{"a card written by hand", false, func(d string, k Kind) map[string]string {
			out := skill(d, "")
			out["cards/"+d+".md"] = hand + k.Text + "\n"
			return out
		}},
		{"the title", true, func(d string, k Kind) map[string]string { return headed(d, "title: "+k.Bare) }},
		{"a flag of a script", true, func(d string, k Kind) map[string]string { return with(d, "run.sh", script("", k.Bare)) }},
		{"a fence's language", true, func(d string, k Kind) map[string]string { return skill(d, "```"+k.Bare+"\nx\n```\n") }},
		{"a file's name", true, func(d string, k Kind) map[string]string { return with(d, k.Bare+".md", "- a statement\n") }},
		{"a script's name", true, func(d string, k Kind) map[string]string { return with(d, k.Bare+".sh", script("", "fast")) }},
		{"a folder's name", true, func(d string, k Kind) map[string]string { return skill(d+"/"+k.Bare, "") }},
		{"a dead link", true, func(d string, k Kind) map[string]string {
			return skill(d, "- see [this]("+k.Bare+".md) and `scripts/"+k.Bare+".sh`\n")
		}},
		{"an orphan's name", true, func(_ string, k Kind) map[string]string {
			return map[string]string{"cards/skills/" + k.Bare + ".md": hand + "x\n"}
		}},
	}
}

// skill makes a skill with a body.
func skill(dir, body string) map[string]string {
	return map[string]string{dir + "/SKILL.md": "# A skill\n\n## Commands\n\n- run it\n\n" + body}
}

// with adds a file to a skill.
func with(dir, name, text string) map[string]string {
	out := skill(dir, "")
	out[dir+"/"+name] = text
	return out
}

// headed makes a skill with a field in its head.
func headed(dir, field string) map[string]string {
	return map[string]string{dir + "/SKILL.md": "---\nname: a\n" + field + "\n---\n# A skill\n\n- run it\n"}
}

// script is a shell script with one flag.
func script(line, flag string) string {
	return "#!/bin/sh\n" + line + "\ncase $1 in --" + flag + ") ;; esac\n"
}

// Single quotes a text for YAML.
func Single(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// A Field is a repository in which every kind is planted, each in another place.
type Field struct {
	Before map[string]string // the same skills without any value
	After  map[string]string

	at map[string]string // the place of each kind
}

// Spread plants every kind. Another turn plants them in other places.
func Spread(kinds []Kind, turn int) Field {
	f := Field{map[string]string{}, map[string]string{}, map[string]string{}}
	all := places()
	for i, k := range kinds {
		p := all[(i+turn*5)%len(all)]
		for n := 1; p.bare && k.Bare == ""; n++ {
			p = all[(i+turn*5+n)%len(all)]
		}
		dir := fmt.Sprintf("skills/s%02d", i)
		maps.Copy(f.Before, skill(dir, ""))
		maps.Copy(f.After, p.plant(dir, k))
		f.at[k.Name] = p.name
	}
	return f
}

// Place names where a kind was planted.
func (f Field) Place(k Kind) string { return f.at[k.Name] }
