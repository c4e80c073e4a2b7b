# The commands of this project. The work is done by CMake and by the scripts in .ci/.
CASE ?= cases/lid_driven_cavity.yaml
ARGS ?=
TEST_ARGS ?=
JOBS ?= $(shell nproc)

# Of builds that .ci/configure has set up with ccache: pip builds the same sources for a test.
export CCACHE_DIR ?= $(CURDIR)/build/ccache

.PHONY: run build test verification lint format clean help
.DEFAULT_GOAL := help

run: ## build the program and run CASE (default cases/lid_driven_cavity.yaml), with ARGS
	@.ci/install run $(CASE)
	@.ci/configure run
	@cmake --build build --target lbm -j $(JOBS)
	build/lbm run $(CASE) $(ARGS)

build: ## build the program, its tests and the Python package into build/
	@.ci/install test
	@.ci/venv
	@.ci/configure test
	@cmake --build build -j $(JOBS)

# Tests run even where lint complains; either makes the target fail. The closing line of ctest
# stays last, for whoever reads only the end.
test: build ## check layout and lint, then run all tests (TEST_ARGS='-L unit' picks some)
	@status=0; .ci/lint || status=$$?; \
	ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS) $(TEST_ARGS) || status=$$?; \
	exit $$status

# A failed test is on the page, too; the target fails all the same.
verification: build ## run the physics tests, rewrite docs/verification.md (FULL=1: finer grids, 10 minutes)
	@rm -rf build/evidence; status=0; \
	LBM_EVIDENCE=$(CURDIR)/build/evidence LBM_VERIFICATION=$(if $(FULL),full,quick) \
	  ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS) -L verification $(TEST_ARGS) || status=$$?; \
	docs/verification.py collect $(if $(FULL),--full) build/evidence docs/verification/cpu$(if $(FULL),_full).json \
	  && docs/verification.py || status=$$?; \
	exit $$status

lint: ## check layout (clang-format) and code (clang-tidy)
	@.ci/install test
	@.ci/venv
	@.ci/configure test
	@.ci/lint

format: ## rewrite the sources to the layout of .clang-format
	@.ci/lint format

clean: ## remove build/
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
