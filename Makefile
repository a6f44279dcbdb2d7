# All that is needed is Go, make, git and a shell; `race` needs a C compiler too.

FUZZTIME ?= 5s

.PHONY: help build test race fmt vet lint fuzz samples check duckdb demo bench clean

help: ## list the targets (the default)
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

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

check: fmt vet lint test race samples ## the complete gate: fmt, vet, lint, test, race, samples

duckdb: ## hold the Parquet export against DuckDB; needs a C++ compiler
	cd ingest/parquet/duckdb && go vet ./... && go test ./...

demo: build ## show one Revision's timeline and its findings
	bin/knforensics timeline --rev rt-00002 samples/latched
	@echo "bin/knforensics detect samples/latched"; \
	bin/knforensics detect samples/latched; status=$$?; \
	if [ $$status -eq 1 ]; then echo "(exit status 1: findings)"; else exit $$status; fi

bench: ## run all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

clean: ## remove what build made
	rm -rf bin
