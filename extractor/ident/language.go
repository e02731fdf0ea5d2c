package ident

import (
	"bytes"
	"path"
	"strings"
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

func byInterpreter(word string) string {
	switch word {
	case "python", "uv", "pypy":
		return "python"
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash":
		return "shell"
	case "node", "bun", "deno":
		return "javascript"
	case "ruby", "perl", "php", "lua":
		return word
	case "pwsh", "powershell":
		return "powershell"
	}
	return ""
}

func byExtension(ext string) string {
	switch ext {
	case ".py", ".pyi", ".pyw":
		return "python"
	case ".sh", ".bash", ".zsh", ".ksh":
		return "shell"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript"
	case ".ts", ".mts", ".cts", ".tsx":
		return "typescript"
	case ".ps1", ".psm1":
		return "powershell"
	case ".go":
		return "go"
	case ".rb":
		return "ruby"
	case ".pl", ".pm":
		return "perl"
	case ".php":
		return "php"
	case ".lua":
		return "lua"
	case ".rs":
		return "rust"
	}
	return ""
}
