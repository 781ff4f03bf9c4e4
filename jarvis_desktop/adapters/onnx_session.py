"""ONNX sessions that use one thread, print nothing and report to nobody."""

import os
from pathlib import Path
from typing import Any

from jarvis_desktop.core.items.errors import ModelFileError

LIBRARY_THREADS = 2


def limit_library_threads() -> None:
    """Number libraries may start at most this many threads. Call before numpy is first imported.

    A speech assistant was seen at 300 % of a core because OpenBLAS started one thread per core.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
        os.environ.setdefault(name, str(LIBRARY_THREADS))


def switch_off_telemetry() -> None:
    """Onnxruntime collects nothing and sends nothing. Call before it is first imported, by whomever.

    From 1.32 on it queues events for Microsoft below ~/.cache/Microsoft, and gives the machine an identifier.
    Its own ``disable_telemetry_events()`` comes too late: the import has begun the collecting by then.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def open_session(path: Path) -> Any:  # onnxruntime ships no types
    """A session on one thread: frames are so small that a second thread costs more than it gives.

    Raises:
        ModelFileError: the file is absent or not a model.
    """
    switch_off_telemetry()
    try:
        import onnxruntime  # heavy, and only the worker needs it
    except ImportError as error:
        raise ModelFileError("the package onnxruntime is not installed") from error
    onnxruntime.disable_telemetry_events()  # on Windows, and in older releases, this is the switch
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        # Bytes, not the path: a native loader that opens a path breaks on non-ASCII folders on Windows.
        return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except OSError as error:
        raise ModelFileError(f"{path.name}: cannot be read ({error.strerror})") from error
    except Exception as error:  # onnxruntime raises bare classes of its C++ side
        raise ModelFileError(f"{path.name}: is not a model that can be loaded") from error
