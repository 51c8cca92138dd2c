VERSION ?= $(shell git describe --tags --match 'v*' 2>/dev/null | sed 's/^v//' | grep . || echo 1.0.0-dev)
FUZZTIME ?= 10m
GORELEASER := v2.12.7
LDFLAGS := -s -w -X main.version=$(VERSION)

.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*## .*/\1/p' Makefile)

help: ## Print the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' Makefile

run: ## Serve on http://127.0.0.1:8080.
	go run -ldflags '$(LDFLAGS)' ./cmd/convertd serve

build: ## Build bin/convertd, one static binary.
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/convertd ./cmd/convertd

# Disables inlining in packages that are rarely called, which makes the engine smaller to download.
uninlined = $(foreach package,fmt log/slog encoding/json math/big \
  $(addprefix github.com/convertd/convertd/internal/tools/apiconvert/,curl/... shell/... openapi/... postman/...),-gcflags=$(package)=-l)

engine: internal/web/engine/engine.wasm.br ## Build the tools as WebAssembly for the editor's "Run in this page". Later builds embed it.

internal/web/engine/engine.wasm.br: go.mod $(wildcard cmd/engine/*.go gen/table/*.go internal/*/*.go internal/tools/*/*.go internal/tools/*/*/*.go internal/tools/*/*/*/*.go)
	rm -f internal/web/engine/engine.wasm*
	GOOS=js GOARCH=wasm go build -trimpath -ldflags '-s -w' $(uninlined) -o internal/web/engine/engine.wasm ./cmd/engine
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" internal/web/engine/
	go run ./deploy/pack internal/web/engine/engine.wasm

manuals: build ## Write man pages and shell completions to bin/man and bin/completions.
	rm -rf bin/man bin/completions && mkdir -p bin/completions
	bin/convertd man bin/man
	for s in bash zsh fish; do bin/convertd completion $$s > bin/completions/convertd.$$s || exit 1; done
	bin/convertd completion powershell > bin/completions/convertd.ps1

# Packages in test/ that make test runs with -short. make test-rest runs the tests that -short skips and all other packages, with
# a sample of what takes longest; make test-all sets CONVERTD_ALL, which runs all of it.
first := attack browser mcp places sdk
whole := mcp places # the subset in which -short skips no test

# Packages in test/ that load the machine on purpose and run alone.
alone := attack bench cluster soak

# Three scripts run at a time, since most of their time is downloads. test/sdk takes longest and starts first.
setup: ## Install the dependencies of make test, except Go.
	@printf '%s\n' $(wildcard test/apt/setup.sh test/lint/setup.sh $(first:%=test/%/setup.sh)) | xargs -n 1 -P 3 sh -c '$$0 first'

setup-all: ## Install the dependencies of make test-all, except Go.
	@printf '%s\n' test/sdk/setup.sh $(filter-out test/sdk/% test/bench/% test/windows/%,$(wildcard test/*/setup.sh)) | xargs -n 1 -P 3 sh -c '$$0'

test: setup check engine ## Run the first tier, before a pull request: setup, make check, clients, the editor in Chromium, a sample of the attacks.
	go test -short -count=1 -p 2 -timeout 20m $(first:%=./test/%)
	@echo 'make test: everything passed'

test-all: export CONVERTD_ALL := 1
test-all: setup-all fresh lint staticcheck platforms race unit-full programs windows ## Run both tiers, each test once, and the Windows binary under Wine.
	@echo 'make test-all: everything passed'

# The set-up mostly waits for downloads, and most of unit-full is one thread: side by side, and then the race detector.
test-rest: engine platforms ## Run the second tier: the tests that make test skips.
	$(MAKE) --jobs=2 --output-sync=target setup-all unit-full race
	go test -count=1 -p 2 -timeout 20m -skip '^TestBrowser$$/^main_tasks$$' $$(go list ./test/... ./deploy/... | grep -v $(whole:%=-e /test/%$$) $(alone:%=-e /test/%$$))
	go test -count=1 -p 1 -timeout 20m $(alone:%=./test/%)
	@echo 'make test-rest: everything passed'

check: fresh lint staticcheck unit ## Run before each commit: check that generated code is up to date, lint the OpenAPI document and the code, run the unit tests.

unit: ## Run the unit tests; some run only a sample of their cases.
	go test -short . ./cmd/... ./internal/...

# The tools and their subpackages start no goroutines. The root package's test runs all of their cases concurrently. The skipped
# tests take longest, and start no goroutines of their own.
sequential := /internal(/(tools|jsondoc|yamldoc|schema|contract)(/.*)?)?$$

race: ## Run the unit tests of concurrent code under the race detector, with Redis.
	@test/apt/setup.sh
	go test -race -short -timeout 20m -skip '^Test(BoundedMemory|Exact|NoLimits|Raised)$$' $$(go list . ./cmd/... ./internal/... | grep -vE '$(sequential)')

# Exactly the tests that run a sample with -short. internal/tiers_test.go checks the list.
unit-full: ## Run more cases of the unit tests that make unit samples; with CONVERTD_ALL=1 all.
	go test -run '^Test(Instances|InstancesOfCorpus|Hostile|YAMLHostile|Parser|YAMLIsTheJSON|OutputsAreValid|Multiplying|LinearReferences|LinearScripts|ReadAndWriteAreBounded|Linear|RandomSecrets|Mutants|Credentials|GeneratedCollections|EveryPart|SaidIsTrue)$$' -timeout 20m ./internal/tools/...

parts: ## Print what share of each source's parts api_convert keeps or reports, for each target.
	CONVERTD_ALL=1 go test -count=1 -timeout 30m -run '^TestEveryPart$$' -v ./internal/tools/apiconvert | grep -E ' % of |^(---|FAIL|ok)' | sort

programs: engine ## Run all tests that start the binary and other programs.
	go test -count=1 -p 2 -timeout 20m $$(go list ./test/... ./deploy/... | grep -v $(alone:%=-e /test/%$$))
	go test -count=1 -p 1 -timeout 20m $(alone:%=./test/%)

generate: ## Generate gen/, the other *.gen.go files and the code samples in openapi/openapi.yaml from that document; needs node.
	@mkdir -p gen/client gen/document
	go run ./openapi/tojson openapi/openapi.yaml gen/document
	node openapi/samples.mjs openapi/openapi.yaml gen/document/openapi.json
	go run ./openapi/tojson openapi/openapi.yaml gen/document
	go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config openapi/server.yaml openapi/openapi.yaml
	go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config openapi/client.yaml openapi/openapi.yaml
	$(MAKE) editor

editor: ## Bundle the editor's script and style sheet from internal/web/editor into gen/editor.
	go run github.com/evanw/esbuild/cmd/esbuild internal/web/editor/main.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning --outfile=gen/editor/editor.js
	go run github.com/evanw/esbuild/cmd/esbuild internal/web/editor/editor.css --minify --charset=utf8 --log-level=warning --outfile=gen/editor/editor.css

tour: engine ## Record six tasks in the editor and write docs/tour.png, the README's picture.
	@test/browser/setup.sh
	test/browser/tour.sh

swagger-ui: ## Write internal/web/swaggerui from the npm package that test/browser pins.
	test/browser/swagger-ui.sh

fresh: ## Fail if gen/ differs from the output of make generate.
	@test/fresh.sh

lint: ## Lint the OpenAPI document; check the wording, links and length of the documentation.
	@test/lint/setup.sh
	test/lint/node_modules/.bin/spectral lint --quiet --fail-severity hint openapi/openapi.yaml
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true test/lint/node_modules/.bin/redocly lint --max-problems 1 convertd
	go test -run '^Test(Words|ReadmeIsShort|LinksBetweenDocuments)$$' ./internal

staticcheck: ## Run gofmt, go vet (for macOS and Windows, too) and staticcheck.
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	set -e; for os in darwin windows; do CGO_ENABLED=0 GOOS=$$os go vet . ./cmd/... ./internal/...; done
	go run honnef.co/go/tools/cmd/staticcheck ./...

sdk: ## Generate client SDKs, compile them and run one scenario in each language.
	@test/sdk/setup.sh
	go test -count=1 -timeout 20m -v ./test/sdk

bench: ## Benchmark against the yardsticks and write docs/performance.md. Takes about half an hour on an idle machine (quick run: go run ./test/bench -quick).
	@test/bench/setup.sh
	go run ./test/bench

attack: ## Send hostile requests to the real binary, about half an hour; make test runs a sample of the multiplying documents.
	go test -count=1 -v -timeout 2h ./test/attack -everything

fuzz: ## Run each fuzz target for FUZZTIME (default 10m, a night in total).
	FUZZTIME=$(FUZZTIME) test/fuzz.sh

wire: ## Run scripts before and after they are rewritten, with a curl stub and with curl, and check that the requests are identical.
	go test -count=1 -v ./test/wire

soak: ## Send a million mixed requests, a million more during restarts and kills, then inject faults for minutes (SOAK_CALLS, SOAK_MINUTES).
	SOAK_CALLS=$${SOAK_CALLS:-1000000} go test -count=1 -timeout 3h -v ./test/soak
	SOAK_CALLS=$${SOAK_CALLS:-1000000} go test -count=1 -timeout 3h -v -run TestRolling ./test/cluster
	SOAK_MINUTES=$${SOAK_MINUTES:-5} go test -count=1 -timeout 3h -v -run TestFaults ./test/cluster

manifests: ## Validate the Kubernetes manifests strictly against the API's Go types; needs no cluster.
	cd test/manifests && go test ./...

# Releases build with -trimpath, too: test/channels then finds these packages in the cache.
platforms: ## Build and vet for macOS and Windows.
	set -e; for os in darwin windows; do CGO_ENABLED=0 GOOS=$$os go build -trimpath . ./cmd/... ./internal/...; CGO_ENABLED=0 GOOS=$$os go vet ./...; done

# The tests of package internal are about the repository: Wine shows nothing about it.
windows: export CONVERTD_BINARY = Z:$(CURDIR)/bin/windows/convertd.exe
windows: ## Run the unit tests, the command line and the cases of all tools with the Windows binary under Wine.
	@test/windows/setup.sh
	CGO_ENABLED=0 GOOS=windows go build -trimpath -buildvcs=false -o bin/windows/convertd.exe ./cmd/convertd
	rm -f bin/golden.json
	CONVERTD_BINARY= CONVERTD_GOLDEN=$(CURDIR)/bin/golden.json go test -trimpath -count=1 -run '^TestGolden$$' ./test/windows
	CONVERTD_GOLDEN='Z:$(CURDIR)/bin/golden.json' $(wine) -count=1 ./test/windows
	$(wine) -short -p 1 -timeout 20m $$(go list . ./cmd/... ./internal/... | grep -v '/internal$$')

# One package at a time: Wine sometimes fails to start a program ("Internal error") while others start theirs.
wine = CGO_ENABLED=0 GOOS=windows go test -overlay bin/wine/overlay.json -exec $(CURDIR)/test/windows/wine/exec.sh

# The release workflow runs this in a job without write tokens, because the packer comes from npm.
bundles: engine ## Build a bundle for desktop MCP clients in bin, one per platform.
	rm -f bin/*.mcpb
	set -e; for os in linux darwin windows; do for arch in amd64 arm64; do \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '$(LDFLAGS)' -o bin/bundled/convertd ./cmd/convertd; \
		deploy/mcpb/pack.sh bin/bundled/convertd $$os $$arch $(VERSION); \
	done; done

release: ## Build and publish binaries, the image and the SBOM; used by the release workflow.
	go run github.com/goreleaser/goreleaser/v2@$(GORELEASER) release --clean

release-snapshot: ## Build a release in dist without signing, publishing or images, and run its version command.
	go run github.com/goreleaser/goreleaser/v2@$(GORELEASER) release --snapshot --clean --skip=sign,publish,ko,announce
	dist/convertd_linux_amd64_v1/convertd version

release-check: ## Check .goreleaser.yaml; needs a git remote.
	go run github.com/goreleaser/goreleaser/v2@$(GORELEASER) check

vulncheck: ## Check for known vulnerabilities; downloads the database.
	@go run golang.org/x/vuln/cmd/govulncheck ./... || { echo 'govulncheck failed or could not reach its database (https://vuln.go.dev)'; exit 1; }
