"""Build backend of this package. It packs the sources into a wheel with the standard library alone,
so that `pip wheel .` works on a machine without a network."""

import base64
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).parent
# tomllib is there from Python 3.11 on only; these are plain strings.
PROJECT = dict(re.findall(r'^(\S+) = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE))
STEM = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
METADATA = f"""Metadata-Version: 2.1
Name: {PROJECT["name"]}
Version: {PROJECT["version"]}
Summary: {PROJECT["description"]}
License: {PROJECT["license"]}
Requires-Python: {PROJECT["requires-python"]}
Description-Content-Type: text/markdown

{(ROOT / "README.md").read_text(encoding="utf-8")}"""
WHEEL = """Wheel-Version: 1.0
Generator: wheel_backend
Root-Is-Purelib: true
Tag: py3-none-any
"""
# The same sources make the same bytes.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {
        path.relative_to(ROOT / "src").as_posix(): path.read_bytes()
        for path in sorted((ROOT / "src" / "caisson").iterdir())
        if path.suffix == ".py" or path.name == "py.typed"
    }
    info = f"{STEM}.dist-info"
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{STEM}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{STEM}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as archive:
        for part in ("README.md", "pyproject.toml", "wheel_backend.py", "src"):
            archive.add(ROOT / part, f"{STEM}/{part}", filter=without_caches)
        info = tarfile.TarInfo(f"{STEM}/PKG-INFO")
        info.size = len(METADATA.encode())
        archive.addfile(info, io.BytesIO(METADATA.encode()))
    return name


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def without_caches(entry):
    return None if "__pycache__" in entry.name else entry
