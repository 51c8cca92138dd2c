VERSION ?= $(shell git describe --tags --match 'v*' 2>/dev/null | sed 's/^v//' | grep . || echo 1.0.0-dev)
FUZZTIME ?= 10s
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

# What is not called often is not inlined in the engine, so that less has to be loaded.
uninlined = $(foreach package,fmt log/slog encoding/json math/big go.yaml.in/yaml/v3 \
  $(addprefix github.com/convertd/convertd/internal/tools/apiconvert/,curl/... shell/... openapi/... postman/...),-gcflags=$(package)=-l)

engine: internal/web/engine/engine.wasm.br ## Build the tools as WebAssembly for the editor's "Run in this page"; later builds have it.

internal/web/engine/engine.wasm.br: go.mod $(wildcard cmd/engine/*.go gen/table/*.go internal/*/*.go internal/tools/*/*.go internal/tools/*/*/*.go internal/tools/*/*/*/*.go)
	rm -f internal/web/engine/engine.wasm*
	GOOS=js GOARCH=wasm go build -trimpath -ldflags '-s -w' $(uninlined) -o internal/web/engine/engine.wasm ./cmd/engine
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" internal/web/engine/
	go run ./deploy/pack internal/web/engine/engine.wasm

manuals: build ## Man pages and completions, into bin/man and bin/completions.
	rm -rf bin/man bin/completions && mkdir -p bin/completions
	bin/convertd man bin/man
	for s in bash zsh fish; do bin/convertd completion $$s > bin/completions/convertd.$$s || exit 1; done

# The packages below test/ that make test runs, with -short. make test-rest runs what -short skips, and all other packages.
first := attack browser mcp places sdk
whole := mcp places # those of them in which -short skips nothing

setup: ## Install what make test needs besides Go.
	@failed=; for s in $(wildcard test/apt/setup.sh test/lint/setup.sh $(first:%=test/%/setup.sh)); do $$s first || failed=1; done; [ -z "$$failed" ]

setup-all: ## Install what make test-all needs besides Go.
	@failed=; for s in $(filter-out test/bench/%,$(wildcard test/*/setup.sh)); do $$s || failed=1; done; [ -z "$$failed" ]

test: setup check engine ## The first tier, before a pull request: set-up, make check, clients, the editor in Chromium, a sample of the attacks.
	go test -short -count=1 -p 1 -timeout 20m $(first:%=./test/%)
	@echo 'make test: everything passed'

test-all: setup-all fresh lint staticcheck platforms race unit-full programs ## Both tiers, each test once.
	@echo 'make test-all: everything passed'

test-rest: setup-all engine platforms race unit-full ## The second tier: what make test leaves out.
	go test -count=1 -p 1 -timeout 20m $$(go list ./test/... ./deploy/... | grep -v $(whole:%=-e /test/%$$))
	@echo 'make test-rest: everything passed'

check: fresh lint staticcheck unit ## Before each commit: generated code is fresh, document and code are linted, unit tests pass.

unit: ## Unit tests; some take a sample of their cases.
	go test -short . ./cmd/... ./internal/...

race: ## Unit tests under the race detector.
	go test -race -short . ./cmd/... ./internal/...

# What takes a sample with -short, and nothing else (internal/tiers_test.go).
unit-full: ## The unit tests that take a sample, with all of their cases.
	go test -run '^Test(Hostile|YAMLHostile|YAMLParser|YAMLIsTheJSON|OutputsAreValid|Multiplying|LinearReferences|ReadAndWriteAreBounded|Linear|RandomSecrets)$$' -timeout 20m ./internal/tools/...

programs: engine ## All tests that run the binary and other programs, one package at a time.
	go test -count=1 -p 1 -timeout 20m ./test/... ./deploy/...

generate: ## Write gen/, convertd.gen.go and the samples of code in openapi/openapi.yaml, from that document; needs node.
	@mkdir -p gen/client gen/document
	go run ./openapi/tojson openapi/openapi.yaml gen/document
	node openapi/samples.mjs openapi/openapi.yaml gen/document/openapi.json
	go run ./openapi/tojson openapi/openapi.yaml gen/document
	go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config openapi/server.yaml openapi/openapi.yaml
	go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config openapi/client.yaml openapi/openapi.yaml
	$(MAKE) editor

editor: ## Write gen/editor, the editor page's script and style, from internal/web/editor.
	go run github.com/evanw/esbuild/cmd/esbuild internal/web/editor/main.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning --outfile=gen/editor/editor.js
	go run github.com/evanw/esbuild/cmd/esbuild internal/web/editor/editor.css --minify --charset=utf8 --log-level=warning --outfile=gen/editor/editor.css

tour: engine ## Film six tasks in the editor and write docs/tour.png, the README's picture.
	@test/browser/setup.sh
	test/browser/tour.sh

swagger-ui: ## Write internal/web/swaggerui from the npm package that test/browser pins.
	test/browser/swagger-ui.sh

fresh: ## Fail when gen/ is not what generate writes.
	@test/fresh.sh

lint: ## Lint the OpenAPI document and the words, links and lengths of documents.
	@test/lint/setup.sh
	test/lint/node_modules/.bin/spectral lint --quiet --fail-severity hint openapi/openapi.yaml
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true test/lint/node_modules/.bin/redocly lint --max-problems 1 convertd
	go test -run '^Test(Words|ReadmeIsShort|DocumentsLeadSomewhere)$$' ./internal

staticcheck: ## gofmt, go vet and staticcheck.
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck ./...

sdk: ## Generate client SDKs, compile them and run one scenario in each language.
	@test/sdk/setup.sh
	go test -count=1 -timeout 20m -v ./test/sdk

bench: ## Measure beside the yardsticks and write docs/performance.md; on a quiet machine, about half an hour (a look: go run ./test/bench -quick).
	@test/bench/setup.sh
	go run ./test/bench

size: engine ## Take the program apart by modules and embedded files, and write docs/size.md.
	go run ./test/size

attack: ## Fire hostile requests at the real binary, about half an hour; make test does so with a sample of the multiplying documents.
	go test -count=1 -v -timeout 2h ./test/attack -everything

fuzz: ## Every fuzz target for FUZZTIME (10s) each.
	FUZZTIME=$(FUZZTIME) test/fuzz.sh

wire: ## Run scripts before and after they are rewritten, with a stub of curl and with curl: the requests are the same.
	go test -count=1 -v ./test/wire

soak: ## A million mixed calls, a million through restarts and kills, minutes of injected faults (SOAK_CALLS, SOAK_MINUTES).
	SOAK_CALLS=$${SOAK_CALLS:-1000000} go test -count=1 -timeout 3h -v ./test/soak
	SOAK_CALLS=$${SOAK_CALLS:-1000000} go test -count=1 -timeout 3h -v -run TestRolling ./test/cluster
	SOAK_MINUTES=$${SOAK_MINUTES:-5} go test -count=1 -timeout 3h -v -run TestFaults ./test/cluster

manifests: ## Hold the Kubernetes manifests to the API's Go types, strictly; needs no cluster.
	cd test/manifests && go test ./...

platforms: ## Build for macOS and Windows.
	set -e; for os in darwin windows; do CGO_ENABLED=0 GOOS=$$os go build . ./cmd/... ./internal/...; done

# The release workflow packs them without its tokens, because the packer is npm's.
bundles: engine ## Bundles for desktop clients of MCP, one a platform, into bin.
	rm -f bin/*.mcpb
	set -e; for os in linux darwin windows; do for arch in amd64 arm64; do \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '$(LDFLAGS)' -o bin/bundled/convertd ./cmd/convertd; \
		deploy/mcpb/pack.sh bin/bundled/convertd $$os $$arch $(VERSION); \
	done; done

release: ## Build and publish binaries, image and bill of materials; for the release workflow.
	go run github.com/goreleaser/goreleaser/v2@$(GORELEASER) release --clean

release-snapshot: ## Build what a release builds into dist, without signing, publishing and images, and start it.
	go run github.com/goreleaser/goreleaser/v2@$(GORELEASER) release --snapshot --clean --skip=sign,publish,ko,announce
	dist/convertd_linux_amd64_v1/convertd version

release-check: ## Check .goreleaser.yaml; needs a git remote.
	go run github.com/goreleaser/goreleaser/v2@$(GORELEASER) check

vulncheck: ## Known vulnerabilities; needs the network for its database.
	@go run golang.org/x/vuln/cmd/govulncheck ./... || { echo 'govulncheck failed or could not reach its database (https://vuln.go.dev)'; exit 1; }
