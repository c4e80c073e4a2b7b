# SPDX-License-Identifier: Apache-2.0
#
# The commands of this project. The work is done by CMake and by the scripts in .ci/.
CASE ?= cases/lid_driven_cavity.yaml
ARGS ?=
TEST_ARGS ?=
JOBS ?= $(shell nproc)

# What outlives build/, for a fresh clone to find: objects (ccache, set up by .ci/configure), and what has passed
# clang-tidy. Paths in objects are relative to the clone; pip builds the same sources for a test.
export LBM_CI_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/lbm-ci
export CCACHE_DIR ?= $(LBM_CI_CACHE)/ccache
export CCACHE_BASEDIR ?= $(CURDIR)
export JOBS

.PHONY: run report watch build build-time test release wheels verification site soak sanitize fuzz aarch64 lint format clean help
.DEFAULT_GOAL := help

run: ## build the program and run CASE (default cases/lid_driven_cavity.yaml), with ARGS
	@.ci/install run $(CASE)
	@.ci/configure run
	@cmake --build build --target lbm -j $(JOBS)
	build/lbm run $(CASE) $(ARGS)
	@.ci/report --after-run $(CASE)

report: ## show a run as one page, report.html in DIR (default: the newest in out/); builds the Python package
	@.ci/install report
	@.ci/venv report
	@.ci/configure report
	@cmake --build build --target lbm _lbm lbm_package -j $(JOBS)
	@.ci/report $(DIR)

watch: ## show the runs in DIR (default: out/) in a browser while they compute, until Ctrl-C; builds the Python package
	@.ci/install report
	@.ci/venv report
	@.ci/configure report
	@cmake --build build --target lbm _lbm lbm_package -j $(JOBS)
	build/lbm watch $(or $(DIR),out)

build: ## build the program, its tests and the Python package into build/
	@.ci/install test
	@.ci/venv
	@.ci/configure test
	@cmake --build build -j $(JOBS)

build-time: ## measure the CPU time of the program's build from nothing, and hold it against the budget in .ci/build_time
	@.ci/install run
	@.ci/build_time measure

test: ## build and run all tests, quick ones first (TEST_ARGS='-L unit' picks some)
	@.ci/install test
	@.ci/venv
	@.ci/configure test
	@.ci/test $(TEST_ARGS)

release: ## all that a release must pass, 3 hours; goes on where it was stopped (PARTS='wheels lint' picks some, OLD=PROGRAM compares results)
	@.ci/install release
	@.ci/venv
	@.ci/configure test
	@OLD='$(OLD)' .ci/release $(PARTS)

soak: build ## kill runs KILLS (1000) times, with failing files and power cuts between; an hour (SEED=N repeats)
	@tests/faults/soak.py --lbm build/lbm --library build/tests/liblbm_faults.so --kills $(or $(KILLS),1000) \
	  $(if $(SEED),--seed $(SEED))

fuzz: ## damaged files for each reader of files, with clang: SECONDS=60 each (TARGETS='case mesh' picks some)
	@.ci/install fuzz
	@SECONDS_EACH='$(or $(SECONDS),60)' TARGETS='$(TARGETS)' .ci/fuzz

sanitize: ## all tests with address and undefined-behaviour sanitizers (KIND=thread: threads), an hour or more
	@.ci/install sanitize
	@.ci/sanitize $(or $(KIND),address) $(TEST_ARGS)

# A failed test is on the page, too; the target fails all the same.
verification: build ## run the physics tests, rewrite docs/lab/verification.md (FULL=1: finer grids, 10 minutes)
	@rm -rf build/evidence; status=0; \
	LBM_EVIDENCE=$(CURDIR)/build/evidence LBM_VERIFICATION=$(if $(FULL),full,quick) \
	  ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS) -L verification $(TEST_ARGS) || status=$$?; \
	docs/lab/verification.py collect $(if $(FULL),--full) build/evidence docs/lab/verification/cpu$(if $(FULL),_full).json \
	  && docs/lab/verification.py || status=$$?; \
	exit $$status

wheels: ## make the wheel and the source package in build/wheels; an hour (MACHINE=aarch64: cross-compiled)
	@.ci/install wheels$(MACHINE:%=-%)
	@python/wheels/build.sh build/wheels $(MACHINE)

aarch64: ## cross-compile program and tests for 64-bit ARM and run them in an emulator, before releases; an hour
	@.ci/install wheels-aarch64
	@.ci/configure run
	@cmake --build build --target lbm -j $(JOBS)
	@.ci/aarch64 $(TEST_ARGS)

site: ## make the HTML site of docs/ and of the C++ and Python interfaces, in build/site/html
	@.ci/install site
	@.ci/venv
	@.ci/configure test
	@cmake --build build --target lbm _lbm lbm_package -j $(JOBS)
	@.ci/site

lint: ## check layout (clang-format) and code (clang-tidy)
	@.ci/install lint
	@.ci/venv
	@.ci/configure test
	@.ci/lint

format: ## rewrite the sources to the layout of .clang-format
	@.ci/lint format

clean: ## remove build/
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
