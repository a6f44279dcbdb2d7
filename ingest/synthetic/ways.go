package synthetic

import "fmt"

const overQuota = `failed to create image cache "x": images.caching.internal.knative.dev "x" is forbidden: exceeded quota: images`

// ways are what can happen to a Service again and again.
var ways = map[string]func(g *growth, n int){
	"statuses of a Revision": func(g *growth, n int) {
		g.renew()
		g.start(1)
		for i := range n {
			g.revision.ready = i % 4
			g.write(&g.knative, g.revision.object, "status", func() { g.revision.setRevision(g.t, "Unknown", "Deploying") })
		}
	},
	"turns of a Revision": func(g *growth, n int) {
		g.renew()
		g.turn("True", "")
		g.latch()
		g.renew()
		for range n / 3 {
			g.flap()
			g.move()
		}
	},
	"refused passes": func(g *growth, n int) {
		g.renew()
		g.start(1)
		for range n / 4 {
			g.refuse(g.revision.cache, "create", "", 403, "Forbidden", 0)
			g.flap()
			g.fail(g.revision.object, overQuota)
		}
	},
	"passes that a log tells": func(g *growth, n int) {
		g.renew()
		for i := range n / 18 {
			g.write(&g.knative, g.revision.object, "status", func() { g.revision.setRevision(g.t, "Unknown", "Deploying") })
			g.reconcile(g.t, []*object{g.revision.object, g.route, g.configuration}[i%3])
			g.fail(g.revision.object, overQuota)
		}
	},
	"Revisions that are latched": func(g *growth, n int) {
		for range n / 8 {
			g.renew()
			g.start(1)
			g.turn("True", "")
			g.latch()
		}
	},
	"Revisions that are not": func(g *growth, n int) {
		g.renew()
		g.turn("True", "")
		g.latch()
		for range n / 5 {
			g.renew()
			g.turn("Unknown", "Deploying")
			g.event(g.revision.object, "InternalError", overQuota)
			g.bodiless(g.configuration, "status")
			g.bodiless(g.route, "status")
		}
	},
	"Pods": func(g *growth, n int) {
		g.renew()
		var pods []*object
		for i := range n / 5 {
			pod := g.again(g.revision.pods[0])
			pod.name = fmt.Sprintf("%s-%05x", g.revision.replicaSet.name, i)
			pods = append(pods, pod)
			g.write(&g.managers, pod, "", func() {})
			g.write(&g.kubelets[0], pod, "status", func() { pod.status = podStatus(g.t, "Running", "True", 1) })
			if i >= 5 {
				g.remove(pods[i/2])
			}
			if i%3 == 0 {
				g.bodiless(pod, "status")
			}
			g.flap()
		}
	},
	"scalings": func(g *growth, n int) {
		g.renew()
		g.turn("True", "")
		g.latch()
		old := g.revision
		g.start(6)
		g.renew()
		g.latch()
		for i := range n / 3 {
			g.write(&g.autoscaler, old.deployment, "", func() {
				old.wanted = i % 2 * 6
				old.specs(`{}`)
			})
			g.flap()
		}
	},
	"moves of traffic": func(g *growth, n int) {
		g.renew()
		first := g.revision
		g.renew()
		both := []*revision{first, g.revision}
		for i := range n / 4 {
			g.revision = both[i%2]
			g.latch()
			g.turn(pickOf(i, "True", "False"), "")
		}
	},
	"conflicts": func(g *growth, n int) {
		g.renew()
		first := g.revision.object
		for i := range n / 4 {
			g.flap()
			g.refuse(first, "update", "status", 409, "Conflict", 100_000)
			g.turn(pickOf(i, "True", "Unknown"), "")
		}
	},
	"objects of one name": func(g *growth, n int) {
		g.renew()
		for range n / 3 {
			g.revision.autoscaler = g.again(g.revision.autoscaler)
			g.write(&g.knative, g.revision.autoscaler, "", func() {})
			g.write(&g.autoscaler, g.revision.autoscaler, "status", func() { g.revision.setAutoscaler(g.t, "Unknown") })
			g.remove(g.revision.autoscaler)
		}
	},
	"waits of a Route": func(g *growth, n int) {
		g.renew()
		for i := range n / 5 {
			ready := pickOf(i, "True", "False")
			g.turn(ready, "")
			g.service.ready = g.revision
			g.write(&g.knative, g.configuration, "status", func() { g.setConfiguration(g.t, g.revision, ready) })
			g.write(&g.knative, g.route, "status", func() {
				reason := ""
				if ready == "True" {
					reason = "RevisionMissing"
				}
				g.route.status = `{` + conditions(g.t, condition{"AllTrafficAssigned", pickOf(i, "False", "True"), reason, ""}, condition{"Ready", pickOf(i, "False", "True"), reason, ""}) + `}`
			})
			g.fail(g.route, "Operation cannot be fulfilled")
		}
	},
	"Routes": func(g *growth, n int) {
		g.renew()
		for i := range n / 4 {
			route, ingress := g.again(g.route), g.again(g.ingress)
			route.name = fmt.Sprintf("%s-%d", g.route.name, i)
			ingress.name, ingress.owner = route.name, route
			g.write(&g.knative, route, "", func() {})
			g.write(&g.knative, route, "status", func() { route.status = `{` + conditions(g.t, condition{"Ready", "False", "RevisionMissing", ""}) + `}` })
			if g.service.ready != nil {
				g.setIngress(g.t, "True")
				ingress.spec = g.ingress.spec
				g.write(&g.knative, ingress, "", func() {})
			}
			g.fail(route, "Operation cannot be fulfilled")
			if i == n/8 {
				g.latch()
			}
		}
	},
	"Events": func(g *growth, n int) {
		g.renew()
		for i := range n / 2 {
			g.event(g.revision.object, "InternalError", fmt.Sprintf("%s, for the %d. time", overQuota, i))
			g.event(g.configuration, "LatestReadyUpdate", fmt.Sprintf("LatestReadyRevisionName updated to %q", fmt.Sprintf("%s-%05d", g.configuration.name, i)))
		}
	},
	"annotations": func(g *growth, n int) {
		g.renew()
		scaling := g.revision.object.annotations
		for i := range n / 2 {
			g.revision.object.annotations = scaling
			if i%3 > 0 {
				g.revision.object.annotations = fmt.Sprintf(`{"autoscaling.knative.dev/max-scale":"%d"}`, i)
			}
			g.write(&g.knative, g.revision.object, "", func() {})
			g.turn("Unknown", "Deploying")
		}
	},
	"writes that are lost": func(g *growth, n int) {
		g.renew()
		for range n / 4 {
			g.version += 10
			for _, o := range []*object{g.revision.object, g.configuration} {
				o.version = g.newVersion() // of a write that the log does not have
			}
			g.flap()
			g.move()
			g.refuse(g.revision.cache, "create", "", 403, "Forbidden", 0)
		}
	},
	"writes without bodies": func(g *growth, n int) {
		g.renew()
		g.turn("True", "")
		g.latch()
		for range n / 4 {
			for _, o := range []*object{g.revision.object, g.configuration, g.route} {
				g.bodiless(o, "status")
			}
			g.bodiless(g.ingress, "")
		}
	},
}

// pickOf returns one of two words by turns.
func pickOf(i int, even, odd string) string {
	if i%2 == 0 {
		return even
	}
	return odd
}
