# The gates. `make help` lists them; CONTRIBUTING.md says what each is for.
# What a gate needs is built into ./bin at the version pinned here.

GOLANGCI_VERSION  := v2.15.0
GOTESTSUM_VERSION := v1.13.0

GO  ?= go
# Packages and test names to run: make test PKG=./lane/... RUN=Rewind
PKG ?= ./...
RUN ?=
# How long `make fuzz` runs each target, and `make soak` in all.
FUZZTIME ?= 30s
SOAKTIME ?= 1h

BIN       := $(CURDIR)/bin
GOLANGCI  := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)
GOTESTSUM := $(BIN)/gotestsum-$(GOTESTSUM_VERSION)

# The Kafka client is C, and so is the race detector's runtime.
export CGO_ENABLED := 1

# Two packages at a time: each real cluster wants a core and 400 MB to 1.1 GB.
# The time limit is each package's.
TESTFLAGS := -race -shuffle=on -count=1 -p 2 $(if $(RUN),-run '$(RUN)')
SUM       := $(GOTESTSUM) --format pkgname --format-hide-empty-pkg --post-run-command .ci/tests-ran

.NOTPARALLEL:
.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: check
check: lint tidy test ## what CI runs: lint, tidy, test

.PHONY: fmt
fmt: $(GOLANGCI) ## format the code
	$(GOLANGCI) fmt ./...

.PHONY: lint
lint: $(GOLANGCI) ## golangci-lint, no finding allowed
	$(GOLANGCI) config verify
	$(GOLANGCI) run $(PKG)
	$(if $(wildcard bench/go.mod),cd bench && $(GOLANGCI) run ./...)

.PHONY: tidy
tidy: ## go.mod and go.sum say what is imported, no more (changes nothing)
	$(GO) mod tidy -diff
	$(if $(wildcard bench/go.mod),cd bench && $(GO) mod tidy -diff)

.PHONY: test
test: $(GOTESTSUM) ## every layer, real Kafka included: race detector on, order shuffled
	$(SUM) -- $(TESTFLAGS) -timeout 15m $(PKG)
	$(if $(filter ./...,$(PKG)),cd bench && $(GO) test -race -count=1 ./...)

.PHONY: test-full
test-full: $(GOTESTSUM) ## the same tests at their stated sizes and times
	PITLANE_TEST_SCALE=full $(SUM) -- $(TESTFLAGS) -timeout 90m $(PKG)

.PHONY: soak
soak: $(GOTESTSUM) ## the tests again and again for SOAKTIME (1h), a new order each time
	.ci/soak $(SOAKTIME) $(SUM) -- $(TESTFLAGS) -timeout 15m $(PKG)

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (30s)
	GO='$(GO)' .ci/fuzz $(FUZZTIME)

# For example BENCHFLAGS='-brokers 3 -rounds 11 -only forward'; bench/doc.go says more.
.PHONY: bench
bench: ## the table of docs/performance.md, measured on a real broker
	cd bench && $(GO) run . $(BENCHFLAGS)

.PHONY: microbench
microbench: ## Go's benchmarks, without the race detector, one package at a time
	$(GO) test -run '^$$' -bench '$(or $(RUN),.)' -benchmem -p 1 -timeout 60m $(PKG)

.PHONY: tools
tools: $(GOLANGCI) $(GOTESTSUM) ## build the pinned tools into ./bin

.PHONY: clean
clean: ## remove ./bin and the fuzz cache
	rm -rf $(BIN)
	$(GO) clean -fuzzcache

$(GOLANGCI):
	GOBIN=$(BIN) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(BIN)/golangci-lint $@

$(GOTESTSUM):
	GOBIN=$(BIN) $(GO) install gotest.tools/gotestsum@$(GOTESTSUM_VERSION)
	mv $(BIN)/gotestsum $@
