# All that is needed is Go, make, git and a shell; `race` needs a C compiler too.
# Without tmux the tests that drive explore in a terminal are skipped.

FUZZTIME ?= 5s

# What bench-peers measures with: bytes of the log that is generated, and how
# many times larger the one is that growth is measured with; or LOG, a log of
# your own, with REV, a Revision in it, and CONTROLLER, a controller's log. Logs
# and cases stay in BENCHDIR.
SIZE ?= 1073741824
GROW ?= 4
BENCHDIR ?= $(or $(TMPDIR),/tmp)/knforensics-bench
PAIRS ?= 5
THREADS ?= 1
LOG ?=
REV ?=
CONTROLLER ?=
ONLY ?=

.PHONY: help build test race fmt vet lint fuzz samples screens modules check man site report-page report-test report-pictures duckdb demo bench bench-layers bench-peers clean

help: ## list the targets (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

build: ## build bin/knforensics
	go build -trimpath -buildvcs=false -ldflags "-X main.linked=$$(git describe --tags --always --dirty 2>/dev/null || echo unknown)" -o bin/knforensics ./cmd/knforensics

test: ## run all tests
	go test ./...

race: ## run the tests with the race detector, but for those that read many logs
	go test -race -short -timeout 20m ./...

fmt: ## fail if a file is not gofmt'ed, and list those
	@files=$$(gofmt -l .) || exit; \
	if [ -n "$$files" ]; then echo "not formatted, run gofmt -w on:"; echo "$$files"; exit 1; fi >&2

vet: ## run go vet
	go vet ./...

lint: ## run staticcheck with staticcheck.conf
	go tool staticcheck ./...

# Up to Go 1.26, a run that found nothing can fail with "context deadline
# exceeded" when its time is over (golang/go#75804).
fuzz: ## run each fuzz target for FUZZTIME (5s)
	@log=$$(mktemp) || exit; trap 'rm -f $$log' EXIT; \
	pkgs=$$(go list ./...) || exit; \
	for pkg in $$pkgs; do \
		listed=$$(go test -list '^Fuzz' $$pkg) || { echo "$$listed" >&2; exit 1; }; \
		for target in $$(echo "$$listed" | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			{ go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$pkg 2>&1 || echo failed; } | tee $$log; \
			[ "$$(tail -n 1 $$log)" != failed ] || grep -q '^    context deadline exceeded$$' $$log || exit 1; \
		done; \
	done

samples: build ## check that the samples still give what they should
	bin/knforensics check samples/...

screens: ## draw the screens in docs/explore.md anew; needs tmux
	go test -count=1 -run '^TestExploreScreens$$' ./cmd/knforensics -screens

# The go.mod of a module that requires this one has to follow it.
modules: ## fail if the go.mod of a module in here has to be tidied
	@for mod in $$(git ls-files '*go.mod'); do \
		(cd $$(dirname $$mod) && go list -test ./... >/dev/null) || { echo "in $$mod" >&2; exit 1; }; \
	done

check: fmt modules vet lint test race samples bench ## the complete gate: fmt, modules, vet, lint, test, race, samples, bench

man: ## write docs/man anew from what --help says
	go test -count=1 -run '^TestMan$$' ./cmd/knforensics -update

site: build ## make bin/site: docs, help, manuals of detectors, pictures of output
	go run ./cmd/site

duckdb: ## hold the Parquet export against DuckDB; needs a C++ compiler
	cd ingest/parquet/duckdb && go vet ./... && go test ./...

report-page: ## build the script and style of the report from their source; needs npm
	cd render/report/page && npm ci --no-audit --no-fund && npm run build

# Without Chromium its tests are skipped, and named. CHROMIUM says where it is.
report-test: build ## hold what is built of the report's page against its source, and test the page in Chromium; needs npm
	cd render/report/page && npm ci --no-audit --no-fund && npm run check && npm test

report-pictures: build ## take the pictures of docs/pictures anew; needs npm and Chromium
	cd render/report/page && npm ci --no-audit --no-fund && npm run pictures

demo: build ## show one Revision's timeline and its findings
	bin/knforensics timeline --rev rt-00002 samples/latched
	@echo "bin/knforensics detect samples/latched"; \
	bin/knforensics detect samples/latched; status=$$?; \
	if [ $$status -eq 1 ]; then echo "(exit status 1: findings)"; else exit $$status; fi

bench: ## hold memory, instructions, allocations and how work grows against their limits
	go test -count=1 -v -run '^TestLimits$$' ./cmd/bench -limits

bench-layers: ## run the Go benchmarks of all layers
	go test -run '^$$' -bench . -benchmem ./...

# What does not build is a peer that is missing. DuckDB needs a C++ compiler.
bench-peers: build ## measure beside DuckDB, ripgrep, jq and naive Go
	go build -trimpath -o bin/bench ./cmd/bench
	mkdir -p bin/peers
	cd cmd/bench/peers && for peer in duckdb naive; do go vet ./$$peer && go build -trimpath -o ../../../bin/peers/ ./$$peer || echo "no $$peer"; done
	bin/bench peers -dir "$(BENCHDIR)" -size $(SIZE) -grow $(GROW) -pairs $(PAIRS) -threads $(THREADS) -log "$(LOG)" -rev "$(REV)" -controller "$(CONTROLLER)" -only "$(ONLY)"

clean: ## remove what build made
	rm -rf bin
