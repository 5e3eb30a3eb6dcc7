# Two commands set everything up by themselves: `make demo` and `make test`.
# They need Python 3.11 or later with venv and pip; a C compiler makes masks fast (demo) or is needed (test).

VENV ?= .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
PIP = $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
KERNEL = $(addprefix src/checkrail/,mask/_kernel.py mask/_machine.py mask/_kinds.py mask/_pointers.pxd ondemand/_tables.py ondemand/_spelled.py regular/_rests.py)
SOURCES = pyproject.toml setup.py constraints.txt
PYTEST_ARGS ?= -n 2
DEMO_ARGS ?=
BENCH_ARGS ?=

.NOTPARALLEL:
.PHONY: setup demo test thorough check format kernel model docs claims coverage bench constraints clean help

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.run-installed model ## run the demonstration with the embedded model
	@$(BIN)/checkrail demo $(DEMO_ARGS)

test: check model ## run every check and every test, each in both kernel modes
	CHECKRAIL_REQUIRE_COMPILED=1 CHECKRAIL_FETCH=$${CHECKRAIL_FETCH:-1} $(BIN)/python -m pytest $(PYTEST_ARGS)

thorough: setup model ## run the tests at their full size: hours, for a night
	CHECKRAIL_THOROUGH=1 CHECKRAIL_REQUIRE_COMPILED=1 $(BIN)/python -m pytest $(PYTEST_ARGS)

check: setup ## lint, types, layers, hot loop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_hot_loop.py

setup: $(VENV)/.kernel-built ## make the development environment in .venv, with the compiled kernel

format: setup ## reformat, and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

kernel: $(VENV)/.dev-installed ## build the compiled kernel anew, in place
	CHECKRAIL_KERNEL=compiled $(BIN)/python setup.py -q build_ext --inplace
	@touch $(VENV)/.kernel-built

model: $(VENV)/.run-installed # fetch the embedded model into the cache, once
	@$(BIN)/checkrail models install --quiet

docs: setup ## write the generated pages anew
	$(BIN)/python tools/generate_docs.py

claims: setup model ## run the tests that the claims stand on, and write docs/reference/claims.md
	-$(BIN)/python -m pytest $(PYTEST_ARGS) -q --junitxml=build/claims.xml $$($(BIN)/python tools/claims.py --gates)
	$(BIN)/python tools/claims.py build/claims.xml

coverage: setup ## branch coverage of the interpreted code
	CHECKRAIL_KERNEL_MODE=interpreted $(BIN)/python -m coverage run -m pytest -n 0
	$(BIN)/python -m coverage report

bench: setup ## measure Checkrail beside its peers; BENCH_ARGS goes to benchmarks/run.py
	$(PIP) install -c constraints.txt --group peers
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

constraints: ## pin the newest releases anew, in constraints.txt
	rm -rf build/constraints && $(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet 'pip>=25.1'
	CHECKRAIL_KERNEL=python build/constraints/bin/python -m pip install --quiet '.[local]' --group dev
	{ sed -n '/^#/p' constraints.txt; build/constraints/bin/python -m pip freeze --exclude checkrail; } > build/constraints.txt
	mv build/constraints.txt constraints.txt

clean: ## remove everything that was built
	rm -rf $(VENV) build dist src/checkrail.egg-info src/checkrail/*/*.so src/checkrail/_compiled.json
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .nox

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed (set PYTHON=...)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# what a user has: the package and the model runtime; the kernel compiled where that works
$(VENV)/.run-installed: $(SOURCES) $(KERNEL) | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[local]'
	@touch $@

# what a developer has: the tools as well, and the kernel compiled or an error.
# The pip that comes with Python 3.11 cannot read dependency groups, hence the first line.
$(VENV)/.dev-installed: $(SOURCES) | $(BIN)/python
	$(PIP) install 'pip>=25.1'
	CHECKRAIL_KERNEL=compiled $(PIP) install -c constraints.txt -e '.[local]' --group dev
	@touch $@ $(VENV)/.run-installed $(VENV)/.kernel-built

$(VENV)/.kernel-built: $(KERNEL) $(VENV)/.dev-installed
	CHECKRAIL_KERNEL=compiled $(BIN)/python setup.py -q build_ext --inplace
	@touch $@
