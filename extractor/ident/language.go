package ident

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// sniffBytes is how much of a file tells text from binary.
const sniffBytes = 8 << 10

// language tells a file's language, by content first: an extension lies where a
// shebang or the bytes themselves do not (.ts is video, too).
func language(name string, src []byte) string {
	if binary(src) {
		return ""
	}
	if lang := shebang(src); lang != "" {
		return lang
	}
	return byExtension(strings.ToLower(path.Ext(name)))
}

// binary reports bytes that are no text: a NUL, or more than a tenth control
// characters.
func binary(src []byte) bool {
	head := src[:min(len(src), sniffBytes)]
	if video(head) {
		return true
	}
	odd := 0
	for _, c := range head {
		switch {
		case c == 0:
			return true
		case c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b || c == 0x7f:
			odd++
		}
	}
	return odd*10 > len(head)
}

// video reports an MPEG transport stream, whose packets of 188 bytes each begin
// with a "G". Its files are named .ts, and may hold no NUL for long.
func video(head []byte) bool {
	const packet, sync = 188, 0x47
	for i := 0; i < 3*packet; i += packet {
		if i >= len(head) || head[i] != sync {
			return false
		}
	}
	return !utf8.Valid(head[:3*packet])
}

// shebang reads the interpreter of a first line: "#!/usr/bin/env -S uv run" too.
func shebang(src []byte) string {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	line, _, _ := bytes.Cut(src[:min(len(src), 256)], []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), "#!")
	if !ok {
		return ""
	}
	for _, word := range strings.Fields(rest) {
		word = path.Base(word)
		if word == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		return byInterpreter(strings.TrimRight(word, "0123456789."))
	}
	return ""
}

// An entry of the table of languages: the names that a shebang line, a file's
// extension and a fence give to one.
type names struct {
	language, interpreters, extensions, fences string
}

// languages is the one table of names. Ruby, Perl, PHP, Lua and Rust are
// recognised and give no identifiers.
func languages() []names {
	return []names{
		{"python", "python uv pypy", ".py .pyi .pyw", "python python3 py"},
		{"shell", "sh bash dash zsh ksh mksh ash", ".sh .bash .zsh .ksh", "bash sh shell zsh ksh"},
		{"javascript", "node bun deno", ".js .mjs .cjs .jsx", "javascript js mjs cjs jsx node"},
		{"typescript", "tsx ts-node", ".ts .mts .cts .tsx", "typescript ts mts cts tsx"},
		{"powershell", "pwsh powershell", ".ps1 .psm1", "powershell pwsh ps1 ps posh"},
		{"go", "", ".go", "go golang"},
		{"ruby", "ruby", ".rb", ""},
		{"perl", "perl", ".pl .pm", ""},
		{"php", "php", ".php", ""},
		{"lua", "lua", ".lua", ""},
		{"rust", "", ".rs", ""},
	}
}

// named finds the language that goes by a word in one column of the table.
func named(word string, column func(names) string) string {
	for _, n := range languages() {
		if word != "" && slices.Contains(strings.Fields(column(n)), word) {
			return n.language
		}
	}
	return ""
}

func byInterpreter(word string) string {
	return named(word, func(n names) string { return n.interpreters })
}

func byExtension(ext string) string {
	return named(ext, func(n names) string { return n.extensions })
}

// fenceLanguage reads the first word of an info string.
func fenceLanguage(info string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	return named(strings.ToLower(strings.Trim(word, "{}.")), func(n names) string { return n.fences })
}

// IsSource reports whether a file of that name could be mined: it has an
// extension of a language that is read, or none, since a shebang line may tell.
// Files that begin with a dot, the usual texts without extension, and tests by
// the naming of their language are not.
func IsSource(name string) bool {
	base := strings.ToLower(path.Base(name))
	ext := path.Ext(base)
	if ext == "" {
		word, _, _ := strings.Cut(base, "-")
		switch word {
		case "", ".", "/", "license", "licence", "copying", "notice", "readme", "changelog", "authors", "makefile", "dockerfile", "version", "codeowners":
			return false
		}
		return true
	}
	return ext != base && minerFor(byExtension(ext)) != nil && !isTest(base)
}

// isTest reports a file that is no part of a program, by a name with which a
// tool tells so. Python's "test_" is no such name: it is often a verb.
func isTest(base string) bool {
	base = strings.ToLower(base)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch byExtension(path.Ext(base)) {
	case "go":
		return strings.HasSuffix(stem, "_test")
	case "javascript", "typescript":
		return strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec")
	case "powershell":
		return strings.HasSuffix(stem, ".tests")
	}
	return false
}
