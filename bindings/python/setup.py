"""Builds the extension bristle._core from the C sources of bristle: a C compiler is all it needs.

In the repository the sources are two folders up and everything that is made goes to build/python; in
a source distribution they are beside this file, in `bristle-c`.
"""

import os
import platform
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
CARRIED = HERE / "bristle-c"
IN_REPOSITORY = not CARRIED.is_dir()
ROOT = HERE.parent.parent if IN_REPOSITORY else CARRIED
SHARED = ROOT / "bindings/core"  # with the other bindings
VERSION = (ROOT / "VERSION").read_text().split()[0]

# as cmake/library.cmake builds the libraries: results are the same to the last bit
EVERYWHERE = ["-std=c17", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off"]
LINK = ["-lm"]
if os.name == "nt":  # by mingw-w64, as in cmake/library.cmake; no DLL of its own
    EVERYWHERE += ["-D__USE_MINGW_ANSI_STDIO=1", "-Wa,-muse-unaligned-vector-move"]
    LINK += ["-static", "-lpthread"]
KERNEL = ["-fno-math-errno", "-fno-trapping-math", "-Wno-psabi", "-O3"]
ANY_ORDER = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros",
             "-fassociative-math", "-ffp-contract=fast"]  # fmt: skip
STABLE = ["-DPy_LIMITED_API=0x030B0000", "-Werror=implicit-function-declaration"]
if os.environ.get("BRISTLE_WERROR"):
    STABLE += ["-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror"]
LANES = {"1": [], "2": [], "4": [], "8": []}
if platform.machine().lower() in ("x86_64", "amd64"):
    LANES["4"] = ["-mavx2", "-mfma", "-mtune=skylake"]
    LANES["8"] = ["-mavx512f", "-mavx512dq", "-mavx512vl", "-mfma", "-mprefer-vector-width=512",
                  "-mtune=icelake-server"]  # fmt: skip

# sources that need more flags, as in CMakeLists.txt, cmake/fit.cmake and cmake/kernel.cmake
FLAGS = {
    "src/limit/exact_grid.c": ["-fno-math-errno"],
    "src/limit/cell_grid_fast.c": ["-fno-math-errno"],
    "src/sim/contact_algebra.c": ANY_ORDER,
    "src/sim/states.c": ANY_ORDER,
    "src/fit/contact_history_1.c": ["-fno-math-errno"],
    "src/fit/law_history.c": ["-fno-math-errno"],
    "src/fit/law_history_slopes.c": ["-fno-math-errno"],
    "src/fit/least_squares.c": ["-I/usr/include/cminpack-1"],
}
for lanes, instructions in LANES.items():
    bundles = KERNEL + instructions + ["-ffp-contract=fast"]
    FLAGS[f"src/planar/kernel_{lanes}.c"] = bundles
    FLAGS[f"src/planar/gradient_kernel_{lanes}.c"] = bundles
    FLAGS[f"src/planar/kernel_reduced_{lanes}.c"] = KERNEL + instructions
    FLAGS[f"src/slider/pushing_lanes_{lanes}.c"] = bundles
    if lanes != "1":
        FLAGS[f"src/fit/contact_history_{lanes}.c"] = bundles
        FLAGS[f"src/planar/worlds_record_{lanes}.c"] = bundles
        FLAGS[f"src/planar/worlds_smooth_{lanes}.c"] = bundles
for doubles, floats in (("1", "1"), ("2", "4"), ("4", "8"), ("8", "16")):  # worlds: vectors of the same length
    for name in (f"double_{doubles}", f"float_{floats}"):
        FLAGS[f"src/planar/worlds_{name}.c"] = KERNEL + LANES[doubles] + ["-ffp-contract=fast"]
FLAGS["src/fit/law_history_slopes_4.c"] = KERNEL + LANES["4"]
FLAGS["src/planar/kernel_curve.c"] = FLAGS["src/planar/gradient_kernel_curve.c"] = KERNEL + ["-ffp-contract=fast"]
FLAGS["src/planar/kernel_reduced_curve.c"] = KERNEL
FLAGS["src/planar/kernel_reduced_alone.c"] = KERNEL + LANES["8"]


def flags_of(inside: str) -> list[str]:
    """Additional flags of a source of the library."""
    files = ["-D_POSIX_C_SOURCE=200809L"] if inside.startswith(("src/scenario/", "src/sweep/")) else []
    return FLAGS.get(inside, []) + files


# optional libraries: header, its folder below the compiler's, source that needs it; without the library the file
# NAME_absent.c is compiled instead
OPTIONAL = {
    "yaml": ("yaml.h", "", "src/scenario/document"),
    "cminpack": ("cminpack.h", "/usr/include/cminpack-1", "src/fit/least_squares"),
}
WITHOUT = os.environ.get("BRISTLE_WITHOUT", "").split()  # libraries to leave out, e.g. "yaml cminpack"


def has_header(compiler: list[str], header: str, folder: str) -> bool:
    command = [*compiler, "-E", "-x", "c", "-"] + ([f"-I{folder}"] if folder else [])
    test = subprocess.run(command, input=f"#include <{header}>\n", text=True, capture_output=True)
    return test.returncode == 0


def library_sources(libraries: list[str]) -> list[Path]:
    """All sources of the library; for missing libraries (libyaml, cminpack, CVODE) a file that reports their absence."""
    found = sorted((ROOT / "src").glob("*/*.c"))
    systems = {"posix", "windows", "wasm"} - {"windows" if os.name == "nt" else "posix"}
    left_out = {"src/sim/cvode.c", *(f"src/scenario/system_{name}.c" for name in systems)}
    for name, (_, _, source) in OPTIONAL.items():
        left_out.add(f"{source}_absent.c" if name in libraries else f"{source}.c")
    return [path for path in found if path.relative_to(ROOT).as_posix() not in left_out]


def write_version_header(folder: Path) -> None:
    text = (ROOT / "include/bristle/version.h.in").read_text()
    parts = dict(zip(("MAJOR", "MINOR", "PATCH"), VERSION.split(".")))
    text = re.sub(r"@PROJECT_VERSION_(\w+)@", lambda match: parts[match[1]], text)
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "version.h"
    text = text.replace("@PROJECT_VERSION@", VERSION)
    if not header.exists() or header.read_text() != text:
        header.write_text(text)


class BuildExtension(build_ext):
    """Compiles every source with its own flags, in parallel, and only if it has changed."""

    def build_extension(self, extension: Extension) -> None:
        made = Path(self.build_temp).resolve()
        write_version_header(made / "include/bristle")
        includes = [HERE / "core", SHARED, ROOT / "include", ROOT / "src", made / "include"]
        own = sorted([*(HERE / "core").glob("*.c"), *SHARED.glob("*.c")])
        python = [f"-I{path}" for path in self.include_dirs] + STABLE

        def compile_one(source: Path) -> str:
            inside = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source.name
            result = made / Path(inside).with_suffix(".o")
            if self.force or not is_newer(result):
                result.parent.mkdir(parents=True, exist_ok=True)
                flags = flags_of(Path(inside).as_posix()) if source not in own else python
                command = [*self.compiler.compiler, *EVERYWHERE, *flags]
                command += [f"-ffile-prefix-map={ROOT}=."]  # the same bytes in any folder
                command += [] if self.debug else ["-g0"]  # Debian's Python asks for debug information: 38 of 46 MB
                command += [f"-I{path}" for path in includes]
                subprocess.run([*command, "-MMD", "-c", str(source), "-o", str(result)], check=True)
            return str(result)

        libraries = [name for name, (header, folder, _) in OPTIONAL.items()
                     if name not in WITHOUT
                     and has_header(self.compiler.compiler, header, folder)]  # fmt: skip
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compile_one, library_sources(libraries) + own))
        self.link([*objects, *(f"-l{name}" for name in libraries)], extension, made)

    def link(self, objects: list[str], extension: Extension, made: Path) -> None:
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        options = []
        if platform.system() == "Linux":  # export only the module's entry
            script = made / "exports"
            script.write_text("{ global: PyInit__core; local: *; };\n")
            options = [f"-Wl,--version-script={script}"]
        command = [*self.compiler.linker_so, *objects, "-o", str(target), *options, *LINK]
        subprocess.run(command, check=True)


def is_newer(result: Path) -> bool:
    """Is a compiled file newer than all its dependencies (from the compiler's -MMD)?"""
    list_of_files = result.with_suffix(".d")
    if not result.exists() or not list_of_files.exists():
        return False
    text = list_of_files.read_text().replace("\\\n", " ").split(": ", 1)[1]
    sources = [Path(name) for name in text.split()] + [Path(__file__)]
    if not all(path.exists() for path in sources):
        return False
    return result.stat().st_mtime > max(path.stat().st_mtime for path in sources)


class SourceDistribution(sdist):
    """Adds the C sources to the source distribution."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        carried = Path(base_dir) / CARRIED.name
        shutil.copytree(ROOT / "src", carried / "src", dirs_exist_ok=True)
        shutil.copytree(ROOT / "include", carried / "include", dirs_exist_ok=True)
        shutil.copytree(SHARED, carried / "bindings/core", dirs_exist_ok=True)
        for name in ("VERSION", "LICENSE"):
            shutil.copy(ROOT / name, carried / name)


class Wheel(bdist_wheel):
    """One wheel for Python 3.11 and later."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.py_limited_api = "cp311"


options = {}
if IN_REPOSITORY:
    made = ROOT / "build/python/made"
    made.mkdir(parents=True, exist_ok=True)
    options = {"egg_info": {"egg_base": str(made)}, "build": {"build_base": str(made)}}

setup(
    version=VERSION,
    packages=["bristle"],
    package_data={"bristle": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("bristle._core", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildExtension, "sdist": SourceDistribution, "bdist_wheel": Wheel},
    options=options,
)
