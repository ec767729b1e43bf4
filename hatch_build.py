"""Makes a wheel of compiled modules, if that is asked for; without a C compiler it is the usual wheel.

The modules are those that pyproject.toml names, compiled by Cython from the same source, which lies beside them.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from setuptools import Extension

_DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # a subclass of str is as good as a str
    "overflowcheck": True,  # a number that outgrows C is an error, and never another number
}
_FLAGS = ["-O2", "-g0", "-w"]
_WORKERS = os.cpu_count() or 1


class CompiledModules(BuildHookInterface[Any]):
    """The hook; `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1` asks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules, and add them to the wheel."""
        if version == "editable":
            return
        from setuptools.errors import CCompilerError, ExecError, PlatformError

        self._folder = TemporaryDirectory(prefix="referee-")
        made = Path(self._folder.name)
        try:
            _try_compiler(made / "trial")
        except (CCompilerError, ExecError, PlatformError) as error:
            self.app.display_warning(f"no module is compiled: there is no C compiler, or no Python.h ({error})")
            return
        library = _compiled(Path(self.root), self.config["modules"], made)
        files = (path for path in library.rglob("*") if path.is_file())
        build_data["force_include"] |= {str(path): path.relative_to(library).as_posix() for path in files}
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what is in the wheel now."""
        if version != "editable":
            self._folder.cleanup()


def _try_compiler(made: Path) -> None:
    """Compile a module without content: translating all the others would take a minute."""
    from setuptools import Extension

    made.mkdir()
    source = made / "trial.c"
    source.write_text("#include <Python.h>\nPyObject *PyInit_trial(void) { return 0; }\n", encoding="utf-8")
    _build([Extension("trial", [str(source)])], made)


def _compiled(root: Path, patterns: list[str], made: Path) -> Path:
    """The folder with the compiled modules, in their packages."""
    from Cython.Build import cythonize
    from setuptools import Extension

    sources = sorted({path for pattern in patterns for path in root.glob(pattern) if path.name != "__init__.py"})
    names = (".".join(path.relative_to(root).with_suffix("").parts) for path in sources)
    extensions = [
        Extension(name, [str(path)], extra_compile_args=_FLAGS) for name, path in zip(names, sources, strict=True)
    ]
    folder = str(made / "c")
    return _build(
        cythonize(extensions, build_dir=folder, compiler_directives=_DIRECTIVES, nthreads=_WORKERS, quiet=True), made
    )


def _build(extensions: list[Extension], made: Path) -> Path:
    from setuptools import Distribution

    command = Distribution({"name": "referee", "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp, command.parallel = str(made / "lib"), str(made / "temp"), _WORKERS
    command.ensure_finalized()
    command.run()
    return made / "lib"
