"""What programs for ONNX Runtime call, so that they run with one import changed:

    import apus_inference.onnxruntime as onnxruntime

Or, for packages whose imports are not one's own, before they are imported:

    import sys, apus_inference.onnxruntime
    sys.modules["onnxruntime"] = apus_inference.onnxruntime
"""

from __future__ import annotations

import enum
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import __version__ as __version__
from ._calls import CancelToken
from ._tensors import view
from .errors import ArgumentError
from .session import NodeArg, Session

__all__ = [
    "ExecutionMode",
    "GraphOptimizationLevel",
    "InferenceSession",
    "ModelMetadata",
    "NodeArg",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "get_all_providers",
    "get_available_providers",
    "get_device",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_seed",
]

_PROVIDER = "CPUExecutionProvider"


class GraphOptimizationLevel(enum.IntEnum):
    """Taken, and without effect: graphs are always compiled for the processor."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """Taken, and without effect."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class SessionOptions:
    """Settings of a session. ``intra_op_num_threads`` counts; the others are taken, and without effect.

    Attributes:
        intra_op_num_threads: threads of a run at most; 0 for all that the process may use.
    """

    def __init__(self) -> None:
        self.intra_op_num_threads = 0
        self.inter_op_num_threads = 0
        self.graph_optimization_level: Any = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.execution_mode: Any = ExecutionMode.ORT_SEQUENTIAL
        self.enable_cpu_mem_arena = True
        self.enable_mem_pattern = True
        self.enable_mem_reuse = True
        self.enable_profiling = False
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""
        self.optimized_model_filepath = ""
        self.use_deterministic_compute = True
        self._entries: Dict[str, str] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Taken, and without effect."""
        self._entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """What :meth:`add_session_config_entry` was given."""
        return self._entries[key]

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        """Taken, and without effect: a graph is compiled for each shape that comes."""

    def register_custom_ops_library(self, path: str) -> None:
        """Refused: Apus loads no code of others."""
        raise ArgumentError("a library of custom operators, which Apus does not load", path)


class RunOptions:
    """Taken; ``terminate`` stops the runs that it is given to."""

    def __init__(self) -> None:
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""
        self.only_execute_path_to_fetches = False
        self._token = CancelToken()

    @property
    def terminate(self) -> bool:
        """Whether runs are stopped."""
        return self._token.is_cancelled

    @terminate.setter
    def terminate(self, value: bool) -> None:
        if value:
            self._token.cancel()
        else:
            self._token = CancelToken()

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Taken, and without effect."""


class ModelMetadata:
    """What a file says of itself.

    Attributes:
        custom_metadata_map: texts by their keys.
    """

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.producer_name = str(description.get("producer") or "")
        self.graph_name = str(description.get("graph_name") or "")
        self.domain = str(description.get("domain") or "")
        self.description = str(description.get("description") or "")
        self.graph_description = ""
        self.version = int(description.get("version") or 0)
        self.custom_metadata_map: Dict[str, str] = {
            str(key): str(value) for key, value in (description.get("metadata") or {}).items()
        }


class OrtValue:
    """An array in the memory of the processor."""

    def __init__(self, array: Any) -> None:
        self._array = array

    @classmethod
    def ortvalue_from_numpy(cls, array: Any, device_type: str = "cpu", device_id: int = 0) -> "OrtValue":
        """That of an array of NumPy, which is not copied."""
        return cls(array)

    def numpy(self) -> Any:
        """The array."""
        return self._array

    def shape(self) -> List[int]:
        """Its sizes."""
        return list(self._array.shape)

    def element_type(self) -> str:
        """Its type, as NumPy calls it."""
        return view(self._array, "value").type

    def device_name(self) -> str:
        """``cpu``."""
        return "cpu"

    def is_tensor(self) -> bool:
        """Always true."""
        return True


class InferenceSession(Session):
    """A session by ONNX Runtime's signature.

    Args:
        path_or_bytes: as :class:`apus_inference.Session` takes it.
        sess_options: of which the number of threads counts.
        providers: taken if ``CPUExecutionProvider`` is among them, or none are named.
        provider_options: taken, and without effect.
        kwargs: settings of :class:`apus_inference.Session`.
    """

    def __init__(
        self, path_or_bytes: Union[str, bytes, "os.PathLike[str]"], sess_options: Optional[SessionOptions] = None,
        providers: Optional[Sequence[Any]] = None, provider_options: Optional[Sequence[Any]] = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        names = [each[0] if isinstance(each, tuple) else each for each in providers or [_PROVIDER]]
        if _PROVIDER not in names:
            raise ArgumentError(f"providers {', '.join(map(str, names))}", "providers", f"Apus has {_PROVIDER} and no other.")
        threads = getattr(sess_options, "intra_op_num_threads", 0) or None
        for taken in ("disabled_optimizers", "read_config_from_model", "enable_fallback"):
            kwargs.pop(taken, None)
        super().__init__(path_or_bytes, threads=kwargs.pop("threads", threads), **kwargs)
        self._session_options = sess_options or SessionOptions()

    def run(
        self, output_names: Optional[Sequence[str]], input_feed: Mapping[str, Any], run_options: Any = None, *,
        cancel: Optional[CancelToken] = None,
    ) -> List[Any]:  # fmt: skip
        """Outputs for inputs; no names, or an empty list of such, mean all outputs."""
        if cancel is None and isinstance(run_options, RunOptions):
            cancel = run_options._token
        feed = {name: value.numpy() if isinstance(value, OrtValue) else value for name, value in input_feed.items()}
        return super().run(output_names or None, feed, cancel=cancel)

    def run_with_ort_values(
        self,
        output_names: Optional[Sequence[str]],
        input_dict_ort_values: Mapping[str, OrtValue],
        run_options: Any = None,
    ) -> List[OrtValue]:
        """The same with values of :class:`OrtValue`."""
        return [OrtValue(each) for each in self.run(output_names, input_dict_ort_values, run_options)]

    def get_modelmeta(self) -> ModelMetadata:
        """What the file says of itself."""
        return ModelMetadata(self._opened().description)

    def get_providers(self) -> List[str]:
        """``["CPUExecutionProvider"]``."""
        return [_PROVIDER]

    def get_provider_options(self) -> Dict[str, Dict[str, str]]:
        """None has any."""
        return {_PROVIDER: {}}

    def get_session_options(self) -> SessionOptions:
        """Those that it was made with."""
        return self._session_options

    def get_overridable_initializers(self) -> List[NodeArg]:
        """Inputs that may be left out."""
        return [each for each in super().get_inputs() if each.optional]

    def set_providers(self, providers: Sequence[Any], provider_options: Optional[Sequence[Any]] = None) -> None:
        """Taken, and without effect."""

    def disable_fallback(self) -> None:
        """Taken, and without effect."""

    def enable_fallback(self) -> None:
        """Taken, and without effect."""

    def __reduce__(self) -> Tuple[Any, ...]:
        function, arguments = super().__reduce__()
        return _restored_session, (function, arguments)


def _restored_session(function: Any, arguments: Tuple[Any, ...]) -> InferenceSession:
    session: InferenceSession = function(*arguments)
    session._session_options = SessionOptions()
    return session


def get_available_providers() -> List[str]:
    """``["CPUExecutionProvider"]``."""
    return [_PROVIDER]


def get_all_providers() -> List[str]:
    """``["CPUExecutionProvider"]``."""
    return [_PROVIDER]


def get_device() -> str:
    """``"CPU"``."""
    return "CPU"


def set_default_logger_severity(severity: int) -> None:
    """Taken, and without effect: nothing is logged."""


def set_default_logger_verbosity(verbosity: int) -> None:
    """Taken, and without effect."""


def set_seed(seed: int) -> None:
    """Taken, and without effect: nothing is random."""
