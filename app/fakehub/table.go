package fakehub

import "net/http"

// table lists what the hub serves, a literal before the variable it would
// match. Who may ask follows the "fine-grained permissions" of the reference.
func (h *Hub) table() []route {
	const repo = "/repos/{owner}/{repo}"
	app, inst := byApp, byInstallation
	meta := []string{"metadata:read"}
	read, write := []string{"contents:read"}, []string{"contents:write"}
	pulls := []string{"pull_requests:read"}
	checksRead, checksWrite := []string{"checks:read"}, []string{"checks:write"}
	talk := []string{"issues:read", "pull_requests:read"}
	say := []string{"issues:write", "pull_requests:write"}
	return []route{
		// The App itself: self-check, sweep of failed deliveries, tokens.
		{"GET", "/app", app, nil, h.app},
		{"GET", "/app/installations", app, nil, h.listInstallations},
		{"GET", "/app/installations/{id}", app, nil, h.oneInstallation},
		{"POST", "/app/installations/{id}/access_tokens", app, nil, h.mintToken},
		{"GET", "/app/hook/config", app, nil, h.hookConfig},
		{"GET", "/app/hook/deliveries", app, nil, h.listDeliveries},
		{"GET", "/app/hook/deliveries/{id}", app, nil, h.oneDelivery},
		{"POST", "/app/hook/deliveries/{id}/attempts", app, nil, h.redeliver},
		{"POST", "/app-manifests/{code}/conversions", byAnyone, nil, h.convertManifest},
		{"GET", repo + "/installation", app, nil, h.repoInstallation},
		{"GET", "/installation/repositories", inst, meta, h.installationRepos},
		{"GET", "/rate_limit", inst, nil, h.rateLimit},
		{"GET", "/user/{id}", inst, nil, h.account},
		{"POST", "/graphql", inst, read, h.graphql}, // which itself says that a right is missing, with 200

		// What a repository and its people are; comparing two commits.
		{"GET", repo, inst, meta, h.oneRepo},
		{"GET", repo + "/branches/{branch...}", inst, read, h.branch},
		{"GET", repo + "/rules/branches/{branch...}", inst, meta, h.branchRules},
		{"GET", repo + "/collaborators/{username}/permission", inst, meta, h.permission},
		{"GET", repo + "/contents/{path...}", inst, read, h.refuseContents},
		{"GET", repo + "/commits/{sha}/pulls", inst, pulls, h.commitPulls},
		{"GET", repo + "/commits/{ref...}/check-runs", inst, checksRead, h.listCheckRuns},
		{"GET", repo + "/commits/{ref...}", inst, read, h.oneCommit},
		{"GET", repo + "/compare/{basehead...}", inst, read, h.compare},

		// Reading trees and blobs, and the commit that the button makes.
		{"GET", repo + "/git/trees/{sha...}", inst, read, h.readTree},
		{"POST", repo + "/git/trees", inst, write, h.postTree},
		{"GET", repo + "/git/blobs/{sha}", inst, read, h.readBlob},
		{"POST", repo + "/git/blobs", inst, write, h.postBlob},
		{"GET", repo + "/git/commits/{sha}", inst, read, h.readGitCommit},
		{"POST", repo + "/git/commits", inst, write, h.postCommit},
		{"GET", repo + "/git/ref/{ref...}", inst, read, h.readRef},
		{"POST", repo + "/git/refs", inst, write, h.postRef},
		{"PATCH", repo + "/git/refs/{ref...}", inst, write, h.patchRef},
		{"DELETE", repo + "/git/refs/{ref...}", inst, write, h.deleteRef},

		// Evaluating and reconciling.
		{"GET", repo + "/pulls", inst, pulls, h.listPulls},
		{"POST", repo + "/pulls", inst, []string{"pull_requests:write"}, h.postPull},
		{"GET", repo + "/pulls/{number}", inst, pulls, h.onePull},
		{"GET", repo + "/pulls/{number}/commits", inst, pulls, h.pullCommits},
		{"GET", repo + "/pulls/{number}/files", inst, pulls, h.pullFiles},

		// Publishing: look for our own run first, then POST or PATCH.
		{"POST", repo + "/check-runs", inst, checksWrite, h.postCheckRun},
		{"GET", repo + "/check-runs/{id}", inst, checksRead, h.oneCheckRun},
		{"PATCH", repo + "/check-runs/{id}", inst, checksWrite, h.patchCheckRun},
		{"GET", repo + "/check-runs/{id}/annotations", inst, checksRead, h.listAnnotations},

		// Answering /ask, with a mark as the sign that it was seen.
		{"GET", repo + "/issues/comments/{id}", inst, talk, h.oneComment},
		{"PATCH", repo + "/issues/comments/{id}", inst, say, h.patchComment},
		{"DELETE", repo + "/issues/comments/{id}", inst, say, h.deleteComment},
		{"GET", repo + "/issues/comments/{id}/reactions", inst, talk, h.listReactions},
		{"POST", repo + "/issues/comments/{id}/reactions", inst, say, h.postReaction},
		{"DELETE", repo + "/issues/comments/{id}/reactions/{reaction}", inst, say, h.deleteReaction},
		{"GET", repo + "/issues/{number}/comments", inst, talk, h.listComments},
		{"POST", repo + "/issues/{number}/comments", inst, say, h.postComment},
	}
}

// Needs says for each route which permissions let an installation call it, any
// one of them, as "contents:read". Routes of the App itself are not listed.
func (h *Hub) Needs() map[string][]string {
	needs := map[string][]string{}
	for _, r := range h.routes {
		if r.auth == byInstallation {
			needs[r.method+" "+r.path] = r.need
		}
	}
	return needs
}

// refuseContents stands in for an API that follows symbolic links and cuts
// folders at 1,000 entries: code that asks for it has chosen the wrong one.
func (h *Hub) refuseContents(*call) (reply, error) {
	return reply{}, problem(http.StatusNotImplemented, "fakehub does not serve the contents API: read trees and blobs")
}
