package ident

// environment takes process.env.X, process.env["X"] and Deno.env.get("X").
func (f *jsFile) environment(i, next int) {
	j, after := next+1, next+2
	switch {
	case f.is(next, "[") && f.kind(j, tokString) && f.is(j+1, "]"):
		after = j + 2
	case f.is(next, ".", "get", "(") || f.is(next, ".", "has", "("):
		if j = next + 3; !f.kind(j, tokString) {
			return
		}
		after = j + 2
	case !f.is(next, ".") || !f.kind(j, tokName) || f.is(after, "("):
		return
	}
	if f.is(after, "=") || f.is(i-1, "delete") {
		return // set or removed, not read
	}
	if f.is(i, "import") && viteOwn(f.toks[j].text) {
		return
	}
	f.envName(f.toks[j].text, i, j)
}

// viteOwn lists what the bundler itself puts into import.meta.env.
func viteOwn(name string) bool {
	switch name {
	case "MODE", "DEV", "PROD", "SSR", "BASE_URL":
		return true
	}
	return false
}

// envName adds a name of the environment, if it can be one.
func (f *jsFile) envName(name string, first, last int) {
	if envForm.MatchString(name) && len(name) <= maxName {
		f.add(Env, name, first, last)
	}
}
