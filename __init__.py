"""benchwright: build, audit, freeze and score benchmarks of social reasoning in video and branching stories."""
