package fakehub

// A requirement is a check that must pass on the default branch.
type requirement struct {
	check string
	app   int64 // 0 is anybody's
	rule  bool  // by a ruleset, else by classic protection
}

// RequireByRule makes a check required on the default branch by a ruleset. App
// is whose result alone counts, 0 for anybody's.
func (r *Repo) RequireByRule(check string, app int64) { r.require(requirement{check, app, true}) }

// RequireByProtection does the same by classic branch protection.
func (r *Repo) RequireByProtection(check string, app int64) {
	r.require(requirement{check, app, false})
}

func (r *Repo) require(q requirement) {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.required = append(r.required, q)
}

// branch is one branch of the repository itself. Forks' branches are not found
// here, whatever their commits are.
func (h *Hub) branch(c *call) (reply, error) {
	name := c.path("branch")
	if !validRef(name) {
		return reply{}, notFound()
	}
	commit, err := c.repo.git.commit("refs/heads/" + name + "^{commit}")
	if err != nil {
		return reply{}, problem(404, "Branch not found")
	}
	self := c.repo.api() + "/branches/" + escape(name)
	return reply{body: object{
		"name": name, "commit": h.commitShape(c.repo, commit), "protected": name == defaultBranch && len(c.repo.required) > 0,
		"protection":     c.repo.protection(name),
		"protection_url": self + "/protection",
		"_links":         object{"self": self, "html": c.repo.html() + "/tree/" + escape(name)},
	}}, nil
}

// protection is the summary that a reader sees. What rulesets demand is not in
// it, although the branch counts as protected.
func (r *Repo) protection(branch string) object {
	level, names, checks := "off", []string{}, []object{}
	for _, q := range r.required {
		if branch == defaultBranch && !q.rule {
			level, names = "non_admins", append(names, q.check)
			checks = append(checks, object{"context": q.check, "app_id": orNone(q.app)})
		}
	}
	return object{"enabled": level != "off", "required_status_checks": object{"enforcement_level": level, "contexts": names, "checks": checks}}
}

// orNone is null for an App that was not named.
func orNone(app int64) any {
	if app == 0 {
		return nil
	}
	return app
}

// branchRules lists the rules of rulesets, one for all checks among others. The
// branch need not exist.
func (h *Hub) branchRules(c *call) (reply, error) {
	var list, checks []object
	for _, q := range c.repo.required {
		if !q.rule {
			continue
		}
		check := object{"context": q.check}
		if q.app != 0 {
			check["integration_id"] = q.app
		}
		checks = append(checks, check)
	}
	if c.path("branch") == defaultBranch && len(checks) > 0 {
		from := func(rule object) object {
			rule["ruleset_source_type"], rule["ruleset_source"], rule["ruleset_id"] = "Repository", c.repo.fullName(), 42
			return rule
		}
		list = append(list, from(object{"type": "deletion"}), from(object{
			"type":       "required_status_checks",
			"parameters": object{"required_status_checks": checks, "strict_required_status_checks_policy": false},
		}))
	}
	return paged(h, c, list, nil), nil
}
