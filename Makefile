# bristle in two commands: `make run` and `make test`. A thin layer over the CMake presets.
# Each target first installs what it needs (Debian and Ubuntu) or names what is missing.

PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
need   := sh cmake/need.sh

.PHONY: help run test test-all fuzz fuzz-short steps faults scenes long amalgamation torch aarch64 portable portable-short engines engines-found sweeps-found opencl-found sweeps bench precision models reproduce figures thumbnails notebooks python wheel wasm web serve test-web sanitize format check-format docs site install uninstall package clean

help:
	@echo 'make run           build, simulate an object in a gripper, leave a table and pictures in out/'
	@echo 'make test          build and run the tests'
	@echo 'make test-all      those that need large packages, too: MuJoCo, Box2D, OpenCL by PoCL, PyTorch, the page in chromium, the libraries on 64-bit ARM under qemu, ten seconds of each fuzz target'
	@echo 'make test-more     kernels in plain C, another compiler, Windows under wine'
	@echo 'make scenes        COUNT=10000 SEED=1: random everyday scenes beside a simulator of their own, docs/robustness.md'
	@echo 'make long          an hour in a hand, 1e9 steps of worlds, a sweep of 1e6 cases, a week of the estimator: memory and drift'
	@echo 'make faults        every fault of memory, files, disks, pipes, signals and gnuplot, in every command: an hour'
	@echo 'make portable      other compilers and processors: clang, gcc -O0 to -O3, tcc, musl, i386, ARM, s390x, RISC-V; a table at the end'
	@echo 'make windows       libraries and command for 64-bit Windows by mingw-w64, tested under wine, in build/windows'
	@echo 'make bench         build and run the benchmarks, write their table to docs/benchmarks.md'
	@echo 'make sweeps        time sweeps in threads and beside processes, docs/explanation/sensitivity.md'
	@echo 'make precision     measure and draw work against precision of adaptive runs, docs/explanation/precision.md'
	@echo 'make models        measure error against cost of the planar models, docs/explanation/models.md and docs/benchmarks.md'
	@echo 'make reproduce     compute the published figures and tables again, docs/reproduction/summary.md'
	@echo 'make figures       draw the figures of README.md, docs/tutorial/gripper.md, sliders.md, mechanisms.md and gradients.md again'
	@echo 'make engines       friction in MuJoCo, Box2D, Bullet, ODE and DART beside their own: the tables and figures of docs/explanation/engine_friction.md and rigid_engines.md'
	@echo 'make python        build the Python package and run all of its tests, in build/python'
	@echo 'make wheel         its wheel and source distribution, in build/'
	@echo 'make wasm          bristle for browsers and Node, a module and bristle.js, in build/wasm; friction for engines, in build/rigid'
	@echo 'make web           the page that shows bristle in a browser, in build/web; make serve shows it on localhost'
	@echo 'make amalgamation  the core as two files to copy, bristle.h and bristle.c, in build/amalgamation'
	@echo 'make fuzz          run the fuzz targets, MINUTES=10 in total; findings stay in build/fuzz/test/fuzz/findings'
	@echo 'make steps         take COUNT=1e7 random steps from SEED=1 on, docs/robustness.md'
	@echo 'make sanitize      run the tests under the address, undefined-behaviour and thread sanitizers'
	@echo 'make coverage      lines and branches that the tests run, per module'
	@echo 'make analyse       static analysis: clang-tidy, cppcheck, gcc -fanalyzer'
	@echo 'make abi           changes of the binary interface since the last release, or since SINCE=REVISION'
	@echo 'make hooks         check format, texts and subject before each commit'
	@echo 'make format        format the source; make check-format only checks'
	@echo 'make docs          the reference manual, in build/docs/html'
	@echo 'make reference     write the generated pages of docs/reference again'
	@echo 'make site          the site: explorer, tutorial, all pages, C and Python reference, links checked, in build/site'
	@echo 'make test-site     check the site in chromium: accessibility, widths, search'
	@echo 'make install       install below PREFIX=$(PREFIX); make uninstall takes the last one back'
	@echo 'make package       a Debian package in build/release'
	@echo 'make thumbnails    draw the small pictures of scenarios/README.md and examples/README.md again'
	@echo 'make notebooks     run the notebooks of examples/notebooks and store their outputs'
	@echo 'make clean         remove build/ and out/'

# configure and build one preset, or TARGETS of it: build.release, build.test, ...; the log is shown if it fails
build.%:
	@sh cmake/build.sh $* $(JOBS) $(TARGETS)

run:
	@$(need) build plot
	@$(MAKE) --no-print-directory build.release
	@mkdir -p out
	@build/release/cli/bristle run scenarios/in_hand.yaml -o out/in_hand.csv \
	    --plot out/in_hand.png --animate out/in_hand.gif

test:
	@$(need) build plot test python
	@$(MAKE) --no-print-directory build.test
	@ctest --preset test -j $(JOBS) -LE patient $(if $(LEAVE_OUT),-E '$(LEAVE_OUT)')

# LEAVE_OUT: a pattern of tests that other targets of the same run have in full
LEAVE_OUT ?=
test-all: sweeps-found opencl-found engines-found test aarch64 test-web torch fuzz-short
	@ctest --preset test -j $(JOBS) -L patient

# compilers and systems beyond `make test-all`, whose time in CI is limited
.PHONY: test-more
test-more: portable-short windows

# more of the scenes of `make test`: docs/robustness.md
COUNT ?= 10000
SEED  ?= 1
scenes:
	@$(need) build test
	@$(MAKE) --no-print-directory build.test TARGETS=test-scenes
	@build/test/test/test-scenes $(COUNT) $(SEED)

# memory that stays constant, results that do not drift; some minutes: docs/robustness.md
long:
	@$(need) build test
	@$(MAKE) --no-print-directory build.test TARGETS='bristle bristle-long'
	@build/test/test/bristle-long hand 3600
	@build/test/test/bristle-long worlds 1e9
	@build/test/test/bristle-long online 604800000
	@bash test/long/sweep.sh build/test/cli/bristle 1000000 $(JOBS)

# all faults; ARGUMENTS='errors --only sweep*' for a part
faults:
	@$(need) build plot test sweeps
	@$(MAKE) --no-print-directory build.test
	@build/test/test/test-faults-creates
	@/usr/bin/python3 -B test/faults/faults.py build/test/cli/bristle build/test/test/libfaults-allocations.so $(ARGUMENTS)

# fuzz targets by libFuzzer under the sanitizers, MINUTES in total, two targets at a time; then addresses of the page
MINUTES ?= 10
fuzz:
	@$(need) build fuzz
	@$(MAKE) --no-print-directory build.fuzz TARGETS=fuzz-targets
	@bash test/fuzz/run.sh $(CURDIR)/build/fuzz/test/fuzz $$(( $(MINUTES) * 60 * 2 / 20 ))
	@node test/fuzz/address.mjs 100000

# at most ten seconds and 1,500 executions each, in `make test-all`, from one seed: CI does not fail by what a change has
# nothing to do with
fuzz-short:
	@$(need) build fuzz
	@$(MAKE) --no-print-directory build.fuzz TARGETS=fuzz-targets
	@FUZZ_SEED=1 FUZZ_RUNS=1500 bash test/fuzz/run.sh $(CURDIR)/build/fuzz/test/fuzz 10
	@node test/fuzz/address.mjs 20000

# random steps of everything, for the promises of docs/robustness.md
steps:
	@$(need) build test
	@$(MAKE) --no-print-directory build.test TARGETS=test-random-steps
	@build/test/test/test-random-steps $(COUNT) $(SEED)

# derivatives for PyTorch: its tests and examples, skipped where it cannot be had
torch:
	@$(need) build python
	@$(need) --optional torch science
	@sh bindings/python/test.sh -m slow -k 'torch or learn_friction or train_policy'

sweeps-found:
	@$(need) build sweeps

# a device of OpenCL: the processor, by PoCL
opencl-found:
	@$(need) --optional opencl

# physics engines as a build folder that is older finds them, too
engines-found:
	@$(need) build engines
	@$(need) --optional dart
	@[ ! -e build/test/CMakeCache.txt ] || cmake --preset test > build/test.log || { cat build/test.log; exit 1; }

# friction in physics engines: the tables of docs/explanation/engine_friction.md, and its pictures
engines: engines-found
	@$(need) plot test
	@$(MAKE) --no-print-directory build.test
	@sh docs/make/engines.sh build/test docs/figures
	@$(need) --optional wasm web
	@sh integrations/rigid/js/scenes.sh table >build/engines_js.txt || [ $$? = 77 ]
	@cat build/engines_js.txt
	@awk -f docs/make/engines_table.awk build/test/engines.txt build/engines_js.txt

# libraries and command for 64-bit Windows by mingw-w64, tests and runs under wine, the sources of the Python extension
# compiled; a word instead where compiler, wine or sources of libraries cannot be had
.PHONY: windows
windows:
	@if $(need) build windows && sh cmake/windows_libraries.sh build/windows-libraries; then \
	    $(MAKE) --no-print-directory build.windows TARGETS=windows && \
	    { WINEPREFIX=$(CURDIR)/build/windows/wine WINEDEBUG=-all wineboot -i >/dev/null 2>&1 || true; } && \
	    ctest --preset windows -j $(JOBS) -L windows && \
	    $(MAKE) --no-print-directory build.test TARGETS=bristle && \
	    bash test/windows.sh build/windows/cli/bristle.exe build/test/cli/bristle scenarios && \
	    sh bindings/python/windows.sh build/windows; \
	else echo 'windows: skipped: no cross compiler, wine or sources of libyaml'; fi

# the core on another kind of processor; a word instead where its compiler or emulator cannot be had
aarch64:
	@if $(need) build aarch64; then \
	    $(MAKE) --no-print-directory build.aarch64 && ctest --preset aarch64 -j $(JOBS) -L core; \
	else echo 'aarch64: skipped: no cross compiler or emulator'; fi

# other compilers, C libraries and processors; PLATFORMS=... for some of them. Where no compiler can be had: skipped
PLATFORMS ?=
portable:
	@$(need) build test
	@sh test/portable/run.sh . $(JOBS) $(PLATFORMS)

# what is quick of it, for `make test-more`: no vector types, another compiler
portable-short:
	@$(MAKE) --no-print-directory portable PLATFORMS='scalar tcc'

bench:
	@$(need) build bench
	@$(MAKE) --no-print-directory build.bench TARGETS='bristle bristle-bench'
	@mkdir -p out
	@build/bench/cli/bristle bench | tee out/bench.txt
	@sh docs/make/benchmarks.sh bench out/bench.txt docs/benchmarks.md

# rates of sweeps of the cup of lesson 2: the table of docs/explanation/sensitivity.md
sweeps:
	@$(need) build
	@$(MAKE) --no-print-directory build.release TARGETS='bristle bristle-sweeps'
	@mkdir -p out
	@sed -n '/^# cup.yaml/,/^```/{/^```/!p}' docs/tutorial/gripper.md > out/cup.yaml
	@build/release/bench/bristle-sweeps out/cup.yaml build/release/cli/bristle

precision:
	@$(need) build bench plot
	@$(MAKE) --no-print-directory build.bench TARGETS=bristle-precision
	@mkdir -p out
	@build/bench/bench/bristle-precision scenarios > out/precision.txt
	@sh docs/make/precision.sh out/precision.txt docs/figures/precision.png

models:
	@$(need) build test
	@$(MAKE) --no-print-directory build.test
	@cmake --build build/test --target models > build/models.log 2>&1 || { cat build/models.log; exit 1; }
	@mkdir -p out
	@build/test/test/models test/golden/wk | tee out/models.txt
	@sh docs/make/benchmarks.sh models out/models.txt docs/benchmarks.md

# both variants and the page are made even where a verdict differs
reproduce:
	@$(need) build plot pictures
	@$(MAKE) --no-print-directory build.release TARGETS='bristle bristle-reproduce example-normal_force_steps'
	@mkdir -p out; status=0; \
	build/release/cli/bristle reproduce all -o out/reproduction || status=1; \
	build/release/cli/bristle reproduce all -o out/reproduction-as-published --as-published || status=1; \
	sh docs/make/claims.sh build/release/cli/bristle build/release/examples scenarios \
	    out/reproduction/report.md > out/claims.md || status=1; \
	/usr/bin/python3 docs/make/reproduction.py out/reproduction out/reproduction-as-published out/claims.md docs; exit $$status

# figures of docs/ that several runs make together
figures:
	@$(need) build plot
	@$(MAKE) --no-print-directory build.release
	@sh docs/make/sliders.sh build/release/cli/bristle scenarios docs/figures/three_supports.png
	@sh docs/make/grip.sh build/release/cli/bristle scenarios docs/figures/grip_control.png
	@$(need) python; sh bindings/python/make.sh && sh docs/make/gradients.sh build/python/venv/bin/python docs/figures/gradient_cliff.png
	@sh docs/make/mechanisms.sh build/release/examples/example-friction_compensation docs/figures/friction_compensation.png
	@sh docs/make/slip_control.sh build/release/examples/example-slip_control docs/figures/slip_control.png
	@sh docs/make/rolling.sh build/release/studies/bristle-rolling docs/figures/rolling.png
	@mkdir -p out; build/release/cli/bristle run scenarios/in_hand.yaml --set output.every=0.0625 -o out/in_hand.csv --animate docs/figures/in_hand.gif
	@sed -n '/^# out\/gripper.yaml/,/^```/{/^```/!p}' README.md > out/gripper.yaml
	@build/release/cli/bristle run out/gripper.yaml --set plot.kind=scene -o out/gripper.csv --plot docs/figures/gripper.png
	@build/release/cli/bristle run scenarios/box_onto_ice.yaml -o out/box_onto_ice.csv --plot docs/figures/box_onto_ice.png

# small pictures of all scenarios and examples, for the indices in scenarios/README.md and examples/README.md
thumbnails:
	@$(need) build plot pictures python
	@$(need) --optional science torch
	@$(MAKE) --no-print-directory build.release
	@sh bindings/python/make.sh
	@sh docs/make/thumbnails.sh build/release/cli/bristle build/release/examples build/python/venv/bin/python docs/figures/scenarios

# run the notebooks and store what they print and draw
notebooks:
	@$(need) build python science notebooks
	@sh bindings/python/make.sh
	@build/python/venv/bin/python docs/make/notebooks.py examples/notebooks/*.ipynb

# with what `make test` leaves out: what takes long, or needs SciPy, matplotlib, pandas, xarray or mypy, where they can
# be had
python:
	@$(need) build python
	@$(need) --optional science
	@$(need) --optional notebooks
	@sh bindings/python/test.sh -m ''
	@sh bindings/python/types.sh

wheel:
	@$(need) build python
	@sh bindings/python/make.sh wheel

# for engines that keep their libraries as sources: cc -c bristle.c, one call
amalgamation:
	@$(need) python
	@python3 cmake/amalgamate.py . build/amalgamation
	@ls build/amalgamation/bristle.[ch]

wasm:
	@$(need) build wasm
	@sh bindings/wasm/make.sh
	@ls -l build/wasm/*.wasm build/rigid/*.wasm

# a page to drag things on: static files, nothing is bundled
web:
	@$(need) build wasm web
	@sh web/make.sh

PORT ?= 8000
serve: web
	@node web/serve.mjs build/web $(PORT)

# the page in a real browser, its numbers beside the command's; pictures of all scenes stay in build/web-test
test-web:
	@$(need) build wasm web chromium
	@$(MAKE) --no-print-directory build.test
	@sh web/test.sh build/test/cli/bristle
	@ctest --preset test -R '^wasm$$'

sanitize:
	@$(need) build plot test
	@$(MAKE) --no-print-directory build.asan
	@ctest --preset asan -j $(JOBS) -LE long
	@$(MAKE) --no-print-directory build.tsan TARGETS='test-unit-threads test-unit-scenario test-unit-sweep'
	@ctest --preset tsan -j $(JOBS) -L threads

# lines and branches that the tests run, per module; without those under valgrind, which run the same programs, and without
# long ones. Functions of headers are not inlined: each of their branches counts once, not for each copy
.PHONY: coverage analyse abi hooks
coverage:
	@$(need) build plot test coverage
	@$(MAKE) --no-print-directory build.coverage
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $(JOBS) -LE 'patient|long' -R '^(unit|golden|cli|example|scenarios|scenes|faults)' > build/coverage.txt || \
	    { tail -n 20 build/coverage.txt; exit 1; }
	@gcovr -r . --gcov-executable 'sh $(CURDIR)/cmake/gcov.sh' --filter 'src/' --filter 'cli/' --exclude-branches-by-pattern '.*BR_ASSERT.*' --exclude-unreachable-branches \
	    --json-summary build/coverage.json build/coverage > build/gcovr.txt 2>&1 || { cat build/gcovr.txt; exit 1; }
	@python3 cmake/coverage.py build/coverage.json

# clang-tidy, cppcheck and gcc -fanalyzer
analyse:
	@$(need) build analyse format
	@$(MAKE) --no-print-directory build.release
	@sh cmake/analyse.sh $(JOBS)

# what changed in the binary interface since a commit, by default since the last release
SINCE ?=
abi:
	@$(need) build abi
	@sh cmake/abi.sh $(SINCE)

# checks before each commit, .githooks
hooks:
	@git config core.hooksPath .githooks
	@echo 'git runs .githooks/pre-commit and .githooks/commit-msg from now on'

sources = git ls-files --cached --others --exclude-standard '*.c' '*.cpp' '*.h' '*.inc'

format:
	@$(need) format
	@$(sources) | xargs clang-format -i

check-format:
	@$(need) format
	@$(sources) | xargs clang-format --dry-run -Werror && echo 'format: ok'

docs:
	@$(need) docs
	@mkdir -p build/docs
	@(cat docs/make/Doxyfile; echo "PROJECT_NUMBER = $$(cat VERSION)") | doxygen -
	@echo 'build/docs/html/index.html'

# keys, columns and commands, from what the command itself prints
.PHONY: reference test-site
reference:
	@$(need) build test
	@$(MAKE) --no-print-directory build.test TARGETS=bristle
	@/usr/bin/python3 -B docs/make/reference/generate.py build/test/cli/bristle .

# pages by mkdocs, the C reference by doxygen from the headers alone, the Python reference from the package
site:
	@$(need) build python docs wasm web site
	@sh web/make.sh
	@sh bindings/python/make.sh
	@rm -rf build/site-reference
	@mkdir -p build/site-reference
	@(cat docs/make/Doxyfile; echo 'INPUT = include integrations/mujoco/include integrations/opencl/include'; \
	    echo 'OUTPUT_DIRECTORY = build/site-reference'; echo 'WARN_AS_ERROR = NO'; \
	    echo 'WARN_IF_UNDOCUMENTED = NO'; echo 'GENERATE_HTML = NO'; echo 'GENERATE_XML = YES'; \
	    echo 'XML_PROGRAMLISTING = NO') | doxygen - # `make docs` has the warnings
	@build/python/venv/bin/python -B docs/make/site/build.py . build/site

# the site in a real browser; pictures of its pages stay in build/site-test
test-site: site
	@$(need) chromium
	@node docs/make/site/check.mjs build/site build/npm build/site-test

install:
	@$(need) build
	@$(MAKE) --no-print-directory build.release
	@cmake --install build/release --prefix $(PREFIX)
	@[ "$$(id -u)" -ne 0 ] || ! command -v ldconfig >/dev/null || ldconfig # libraries below /usr/local are found at once

uninstall:
	@cmake --build build/release --target uninstall

package:
	@$(need) build package
	@$(MAKE) --no-print-directory build.release
	@cd build/release && cpack -G DEB

clean:
	@rm -rf build out
