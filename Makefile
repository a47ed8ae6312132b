.PHONY: check test fix alias generated

check:        ## everything, in a fresh environment
	.ci/run

test:         ## the tests, in this environment
	python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

fix:          ## what ruff can mend
	ruff check --fix .
	ruff format .

alias:        ## the links that mypy reads
	python scripts/alias.py

generated:    ## schemas/json, docs/cli.md and docs/configuration.md
	python scripts/schemas.py
	python scripts/cli_docs.py
	python scripts/config_docs.py
