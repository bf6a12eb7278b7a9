# Two commands set everything up: `make run` and `make test`. They need Python 3.11 or later and make their own environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run class test quick check fresh bench hostile mistakes versions docs wheels release lock clean
run: $(VENV)/.run
	$(BIN)/python -m streamlit run app.py $(ARGS)

class: $(VENV)/.run
	$(BIN)/python -m riskline class $(ARGS)

test: $(VENV)/.test
	$(BIN)/python scripts/check $(ARGS)

quick: $(VENV)/.test
	$(BIN)/python scripts/quick $(ARGS)

check: test

fresh: $(VENV)/.test
	HYPOTHESIS_PROFILE=fresh $(BIN)/python -m pytest -q -n 2 -m hypothesis $(ARGS)

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks $(ARGS)

hostile: $(VENV)/.test
	$(BIN)/python -m tests.hostile $(ARGS)

mistakes: $(VENV)/.test
	$(BIN)/python scripts/mistakes $(ARGS)

$(VENV)/.uv: requirements-test.lock
	$(PYTHON) -m venv $(VENV)
	sed -n '/^uv==/,/# via/p' requirements-test.lock > $(VENV)/uv.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.lock
	touch $@

$(VENV)/.run: requirements.lock $(VENV)/.uv
	$(BIN)/python -m uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock
	touch $@

$(VENV)/.test: requirements-test.lock $(VENV)/.uv
	$(BIN)/python -m uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements-test.lock
	touch $@ $(VENV)/.run

versions: $(VENV)/.test
	$(BIN)/python scripts/versions $(ARGS)

docs: $(VENV)/.test
	$(BIN)/python scripts/docs build/docs

wheels: $(VENV)/.test
	$(BIN)/python scripts/wheels dist

release: $(VENV)/.test
	$(BIN)/python scripts/release $(ARGS)

PROJECTS := pyproject.toml packaging/app/pyproject.toml
LOCK := -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-package riskline --no-emit-package riskline-app --custom-compile-command "make lock"
lock: $(PROJECTS)
	$(BIN)/python $(LOCK) --extra test --extra docs --extra release --extra cluster -o requirements-test.lock $(PROJECTS)
	$(BIN)/python $(LOCK) -c requirements-test.lock --extra postgres -o requirements.lock $(PROJECTS)

clean:
	rm -rf $(VENV) dist build test-artifacts
