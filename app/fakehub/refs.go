package fakehub

import (
	"regexp"
	"strings"
)

// nameRE is what GitHub allows in the names of accounts and repositories, a
// trailing "[bot]" for an App's own account aside.
var nameRE = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

func validName(s string) bool {
	return nameRE.MatchString(s) && s != "." && s != ".."
}

func validLogin(s string) bool { return validName(strings.TrimSuffix(s, "[bot]")) }

var shaRE = regexp.MustCompile(`^[0-9a-f]{40}$`)

// refRE is the part of git's rules for ref names that keeps a name from being
// an option or an expression.
var refRE = regexp.MustCompile(`^[^\s\x00-\x1f\x7f~^:?*\[\\-][^\s\x00-\x1f\x7f~^:?*\[\\]*$`)

func validRef(s string) bool {
	return refRE.MatchString(s) && !strings.Contains(s, "..") && !strings.Contains(s, "@{") &&
		!strings.Contains(s, "//") && !strings.HasSuffix(s, "/") && !strings.HasSuffix(s, ".lock")
}

// branchRef is the ref of a branch. "login:branch" names a fork's branch, as
// GitHub spells the head of a pull request from a fork.
func branchRef(branch string) string {
	if owner, name, fork := strings.Cut(branch, ":"); fork {
		return "refs/forks/" + owner + "/" + name
	}
	return "refs/heads/" + branch
}

func validBranch(branch string) bool {
	if owner, name, fork := strings.Cut(branch, ":"); fork {
		return validName(owner) && validRef(name)
	}
	return validRef(branch)
}

// resolve finds the commit that a caller names: an id, a branch, a tag, or
// "heads/x" and "tags/x". A fork's branches have no name here, only ids.
func (g *gitStore) resolve(ref string) (string, error) {
	if shaRE.MatchString(ref) {
		c, err := g.commit(ref)
		return c.SHA, err
	}
	if !validRef(ref) || strings.HasPrefix(ref, "forks/") {
		return "", errNoObject
	}
	for _, prefix := range []string{"refs/heads/", "refs/tags/", "refs/"} {
		if sha, _, _, err := g.object(prefix + ref + "^{commit}"); err == nil {
			return sha, nil
		}
	}
	return "", errNoObject
}

// setRef moves or makes a ref; an empty sha removes it.
func (g *gitStore) setRef(ref, sha string) error {
	if sha == "" {
		_, err := g.run(nil, "update-ref", "-d", ref)
		return err
	}
	_, err := g.run(nil, "update-ref", ref, sha)
	return err
}

// isAncestor reports whether old can be reached from new.
func (g *gitStore) isAncestor(old, new string) bool {
	_, err := g.run(nil, "merge-base", "--is-ancestor", old, new)
	return err == nil
}

// mergeBase is git's first merge base, or errNoObject where there is none.
func (g *gitStore) mergeBase(a, b string) (string, error) {
	out, err := g.run(nil, "merge-base", a, b)
	if err != nil {
		return "", errNoObject
	}
	return strings.TrimSpace(string(out)), nil
}

// between lists the commits of b that a does not reach, oldest first.
func (g *gitStore) between(a, b string) ([]string, error) {
	out, err := g.run(nil, "rev-list", "--reverse", "--topo-order", a+".."+b)
	return strings.Fields(string(out)), err
}
