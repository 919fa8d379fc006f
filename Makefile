# One command surface for people and CI. Python >= 3.11 and make are all a fresh machine needs.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
STAMP := $(VENV)/.stamp-dev
STAMP_BROWSER := $(VENV)/.stamp-browser
# The machine's own certificates where it has them: a company's proxy signs with one that no bundle knows.
export UV_SYSTEM_CERTS ?= $(if $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt),true,false)

# Tests start dozens of interpreters: without compiled files each would compile every library anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup check validate new-company lint unit test test-all fuzz coverage mutants e2e demo stack stack-down deploy doctor chat evaluate bench audit licences lock clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(UV):
	@echo "setup: a virtual environment in $(VENV) (once)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements/uv.txt

$(STAMP): $(UV) requirements/dev.txt
	@echo "setup: pinned packages (requirements/dev.txt)"
	@$(UV) pip sync --quiet --python $(PY) requirements/dev.txt requirements/uv.txt
	@touch $@

$(STAMP_BROWSER): $(STAMP) requirements/browser.txt
	@$(UV) pip install --quiet --python $(PY) -r requirements/browser.txt
	@touch $@

setup: $(STAMP) ## the virtual environment with everything that tests need

lint: $(STAMP) ## ruff, mypy strict, import rules, prompts against the code
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@PYTHONPATH=src $(VENV)/bin/lint-imports
	@$(PY) scripts/lint_prompts.py

check: $(STAMP) ## settings, template and every company's files: all mistakes at once, in seconds, without a stack
	@$(PY) scripts/check.py

validate: $(STAMP) ## template.yaml as AWS's own tools read it: sam validate, with --lint, and cfn-lint
	@$(PY) scripts/validate_template.py

new-company: $(STAMP) ## start a company of your own: thirteen questions, and a folder that passes make check
	@$(PY) scripts/new_company.py $(if $(ANSWERS),--from $(ANSWERS))

unit: $(STAMP) ## unit tests alone, in seconds
	@$(PY) -m pytest tests/unit -q -n auto

test: lint ## lint, types, import rules, unit, integration and fault tests; no network, no key
	@$(PY) -m pytest -q -n auto

test-all: test ## what test samples, whole: every step of every scene killed and failed, many examples of each property
	@$(PY) -m pytest -q -n auto -m thorough

fuzz: $(STAMP) ## new examples of every property, ten times as many: a find becomes a test of its kind
	@$(PY) -m pytest -q -n auto -m fuzz --hypothesis-profile fuzz

coverage: $(STAMP) ## which lines and branches of src no test runs
	@$(PY) -m pytest -q -n auto --cov --cov-report=term

mutants: $(STAMP) ## small faults put into the core, and which of them no test notices (scripts/mutants.py --help)
	@$(PY) scripts/mutants.py

demo: $(STAMP) ## the whole system on this machine: deploy on an emulator, play four scenes, clean up
	@$(PY) scripts/demo.py

stack: $(STAMP) ## the same stack, left running (WITH=egestor: and that system); where it is stands in .local/stack.json
	@$(PY) scripts/stack.py up $(if $(WITH),--with $(WITH))

stack-down: $(STAMP) ## stop it
	@$(PY) scripts/stack.py down

e2e: $(STAMP_BROWSER) ## tests against a stack of their own, the attendants' page in a browser among them (needs chromium)
	@$(PY) -m pytest tests/e2e -q -m e2e

deploy: $(STAMP) ## to the AWS account of your credentials, with the settings of .env, or of .env.NAME by ENV=NAME; asks first
	@$(PY) scripts/deploy.py $(if $(ENV),--env $(ENV)) $(ARGS)

doctor: $(STAMP) ## whether each setting works, asked of AWS, Meta and the provider: of the running stack, or of a deployment by ENV=NAME
	@$(PY) scripts/doctor.py $(if $(ENV),--env $(ENV),--local) $(ARGS)

chat: $(STAMP) ## write to the running stack as a customer would (start it with make stack)
	@$(PY) scripts/chat.py

evaluate: $(STAMP) ## play every company's cases with their committed answers: which of their musts fail
	@$(PY) scripts/evaluate.py evaluations/*/cases.jsonl

bench: $(STAMP) ## ratios measured in one run, as a table and as JSON in .local/bench.json
	@PYTHONPATH=src:scripts $(PY) -m benchmarks

audit: $(STAMP) ## known vulnerabilities of everything that is pinned; needs the network
	@$(PY) scripts/audit.py

licences: $(STAMP) ## docs/licences.md: what the functions' bundles hold, and under which licence
	@$(PY) scripts/licences.py

lock: $(UV) ## pin again: requirements/*.txt from pyproject.toml and the tools' .in files (then make licences)
	@$(UV) pip compile --quiet --universal --no-emit-index-url --no-annotate -p 3.11 pyproject.toml -o requirements/runtime.txt
	@$(UV) pip compile --quiet --universal --no-emit-index-url --no-annotate -p 3.11 pyproject.toml --group dev -c requirements/runtime.txt -o requirements/dev.txt
	@for tool in sam ministack awslambdaric uv audit browser; do $(UV) pip compile --quiet --universal --no-emit-index-url --no-annotate -p 3.11 requirements/$$tool.in -o requirements/$$tool.txt; done

clean: ## stop the stack and remove what the commands made
	@[ ! -f .local/stack.json ] || $(PY) scripts/stack.py down
	rm -rf $(VENV) .local .aws-sam .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

# What `sam build` runs for each function of template.yaml; it sets ARTIFACTS_DIR. What the bundle is for is the
# template's default unless LAMBDA_RUNTIME and LAMBDA_ARCHITECTURE say otherwise. The files that are deployed are checked
# once, for the function that reads them all.
build-%Function: $(STAMP)
	@$(if $(filter Process%,$*),$(PY) scripts/check.py,:)
	@$(PY) scripts/bundle.py "$(ARTIFACTS_DIR)" --function $* $(if $(LAMBDA_RUNTIME),--runtime $(LAMBDA_RUNTIME)) $(if $(LAMBDA_ARCHITECTURE),--architecture $(LAMBDA_ARCHITECTURE))
