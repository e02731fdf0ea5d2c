package secret

import "strings"

// leastRun is the shortest value that a rule by label takes.
const leastRun = 8

// chunk is how much of the lines is looked through at once: the library counts
// lines from the start for each match, which is quadratic in a long text.
const chunk = 16 << 10

// candidates are the views of those lines that can hold a value which only its
// label tells: the rules for them cost most and are tried nowhere else. About
// one line in five of a collection of skills is such.
func candidates(raw string) []*view {
	var out []*view
	v := &view{verbatim: true}
	for start := 0; start < len(raw); {
		end := min(len(raw), lineEnd(raw, start)+1)
		if candidate(raw[start:end]) {
			v.keep(raw, start, end, false)
		}
		if len(v.text) >= chunk {
			out = append(out, v)
			v = &view{verbatim: true}
		}
		start = end
	}
	return append(out, v)
}

// candidate reports lines with letters and digits in one run, or with a name for
// a password: those may be of letters alone.
func candidate(line string) bool {
	letters, digits, run := false, false, 0
	named := false
	var last uint32 // four bytes, in lower case
	for i := 0; i < len(line); i++ {
		c := line[i]
		last = last<<8 | uint32(c|0x20)
		named = named || c >= 0x80 || nameHead(last)
		switch {
		case c <= ' ':
			letters, digits, run = false, false, 0
			continue
		case c >= '0' && c <= '9':
			digits = true
		case alphanumeric(c) || c >= 0x80:
			letters = true
		}
		if run++; run >= leastRun && letters && digits {
			return true
		}
	}
	if strings.Contains(line, "://") && strings.Contains(line, "@") || strings.Contains(line, " -u") {
		return true
	}
	return named && passwordName(line)
}

// nameHead reports bytes that a name for a password begins with.
func nameHead(last uint32) bool {
	switch last {
	case 'p'<<24 | 'a'<<16 | 's'<<8 | 's', 'c'<<24 | 'o'<<16 | 'n'<<8 | 't', 's'<<24 | 'e'<<16 | 'n'<<8 | 'h',
		'w'<<24 | 'a'<<16 | 'c'<<8 | 'h', 'k'<<24 | 'e'<<16 | 'n'<<8 | 'n':
		return true
	}
	return last&0xFFFF == 'p'<<8|'w' || last&0xFFFFFF == 'p'<<16|'s'<<8|'w'
}

func passwordName(line string) bool {
	lower := strings.ToLower(line)
	for _, name := range [...]string{"pass", "pw", "psw", "contrase", "senha", "wachtwoord", "kennwort", "hasło", "пароль", "密码", "パスワード"} {
		if strings.Contains(lower, name) {
			return true
		}
	}
	return false
}
