# For OpenBench, whose workers build their match runner and its engines by make; everybody else uses cargo or just.
#
#   make            the runner: Arbiter as the program `fastchess`
#   make EXE=NAME   Tarrasch as the program NAME

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: runner engine clean
.DEFAULT_GOAL := $(if $(EXE),engine,runner)

runner:
	cargo build --release --locked -p arbiter-harness --bin arbiter
	cp target/release/arbiter$(SUFFIX) fastchess$(SUFFIX)

engine:
	$(MAKE) -C engines/tarrasch EXE="$(abspath $(EXE))"

clean:
	cargo clean
