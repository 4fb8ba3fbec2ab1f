"""Models on tensors, as ONNX Runtime runs them: inputs by name in, outputs out."""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

from . import _native
from ._calls import CallOptions, CancelToken, in_background, interruptible
from ._engine import path_of
from ._native import MAX_RANK, TYPE_NAMES, TYPE_NUMBERS
from ._numpy import loaded_numpy
from ._open import Opened, fingerprint, keep, opened, settings_json, verify
from ._tensors import TYPES, View, address_of, new_array, view
from .errors import ArgumentError, ArgumentTypeError, CancelledError, ClosedError

__all__ = ["NodeArg", "Session"]

#: Seconds of a run after which the next one like it is made so that it can be interrupted.
_SLOW = 0.05
#: Ways of calling that are remembered, each with memory of some hundred bytes.
_PLANS = 64

_TENSOR_SIZE = ctypes.sizeof(_native.Tensor)


class NodeArg(NamedTuple):
    """An input or output of a network.

    Attributes:
        name: what it is called.
        shape: its sizes; None or a name for one that the caller decides.
        type: as ONNX Runtime writes it, such as ``tensor(float)``.
        optional: whether an input may be left out.
    """

    name: str
    shape: List[Union[int, str, None]]
    type: str
    optional: bool = False

    @property
    def dtype(self) -> str:
        """The type as NumPy calls it, such as ``float32``."""
        return next((each.name for each in TYPES.values() if each.onnx == self.type), self.type)


class _Plan:
    """Memory for the arguments of calls with inputs of these names, types and shapes. Used by one call at a time."""

    __slots__ = (
        "arguments", "error", "function", "inputs", "names", "outputs", "results", "seconds", "shapes", "stated",
    )  # fmt: skip

    def __init__(self, inputs: Any, names: List[bytes], outputs: Any, results: List[Tuple[str, Tuple[int, ...]]]) -> None:
        self.function = _native.native().apus_run
        self.inputs = list(inputs)
        self.names = names
        self.outputs = list(outputs)
        self.results = results
        self.error = _native.ErrorSlot()
        self.arguments = (
            ctypes.addressof(inputs),
            len(inputs),
            ctypes.addressof(outputs) if len(outputs) else None,
            len(outputs),
        )
        # Where the library writes the shapes, and what it is to write there.
        start, stop = _native.Tensor.rank.offset, _native.Tensor.data.offset
        self.shapes = [
            memoryview(outputs).cast("B")[place * _TENSOR_SIZE + start : place * _TENSOR_SIZE + stop]
            for place in range(len(outputs))
        ]
        self.stated = [_shape_bytes(shape) for _, shape in results]
        self.seconds = _SLOW + 1  # The first run of a shape makes it ready, which may take long.

    def ready(self) -> List[Any]:
        """New arrays for the outputs, at which the arguments point."""
        arrays = []
        for tensor, (type, shape), memory, stated in zip(self.outputs, self.results, self.shapes, self.stated):
            array, tensor.data = new_array(type, shape)
            memory[:] = stated
            arrays.append(array)
        return arrays

    def done(self, arrays: List[Any]) -> List[Any]:
        """The arrays in the shapes that the outputs turned out to have."""
        for place, stated in enumerate(self.stated):
            if self.shapes[place] != stated:
                tensor = self.outputs[place]
                arrays[place] = _cut(arrays[place], tuple(tensor.dimensions[: tensor.rank]))
        return arrays


def _shape_bytes(shape: Sequence[int]) -> bytes:
    return bytes(memoryview(_native.Tensor(rank=len(shape), dimensions=tuple(shape))).cast("B"))[
        _native.Tensor.rank.offset : _native.Tensor.data.offset
    ]


class Session:
    """A model that is open for tensors.

    >>> session = Session("model.onnx")                          # doctest: +SKIP
    >>> session.run(None, {"x": array})[0].shape                 # doctest: +SKIP
    (1, 10)

    Its methods may be called from any thread, and several at a time. A session is pickled by its name and settings.

    Args:
        model: a ``.tflite`` or ``.onnx`` file, a folder, the name of a repository in the local Hugging Face cache, or the
            bytes of a file.
        precision: ``f32``, ``bf16`` or ``int8``; None for the model's own.
        threads: of one run at most.
        network: the network that is meant: a signature of a file, ``image`` or ``text`` of a folder with two towers.
        shapes: the shapes of inputs that it is made ready for.
        settings: others of the library's, such as ``variant``.

    Raises:
        ApusError: as of :class:`apus_inference.Model`.
    """

    def __init__(
        self, model: Union[str, bytes, "os.PathLike[str]"], *, precision: Optional[str] = None,
        threads: Optional[int] = None, network: Optional[str] = None,
        shapes: Optional[Mapping[str, Sequence[int]]] = None, **settings: Any,
    ) -> None:  # fmt: skip
        said: Dict[str, Any] = {"precision": precision, "threads": threads, "network": network, **settings}
        if shapes is not None:
            said["shapes"] = {name: list(shape) for name, shape in shapes.items()}
        content = bytes(model) if isinstance(model, (bytes, bytearray, memoryview)) else None
        self._prepare("" if content is not None else path_of(model), content, said)
        self._opened()

    def _prepare(self, path: str, content: Optional[bytes], settings: Mapping[str, Any]) -> None:
        self._path = path
        self._content = content
        self._settings = {key: value for key, value in settings.items() if value is not None}
        self._expected: Optional[str] = None
        self._keeps = False
        self._closed = False
        self._model: Optional[Opened] = None
        self._inputs: Optional[List[NodeArg]] = None
        self._outputs: Optional[List[NodeArg]] = None
        self._plans: Dict[Any, List[_Plan]] = {}
        settings_json(self._settings)

    def _opened(self) -> Opened:
        model = self._model
        if model is not None:
            return model
        if self._closed:
            raise ClosedError("the session is closed", self._path or None)
        if self._expected is not None:
            verify(self._path, self._expected)
        if self._content is not None:
            model = _open_content(self._content, settings_json(self._settings))
        else:
            model = opened(self._path, "tensors", settings_json(self._settings))
        if self._keeps:
            keep(model)
        self._model = model
        return model

    # What it is

    @property
    def path(self) -> str:
        """What it was opened by; empty for bytes."""
        return self._path

    @property
    def description(self) -> Dict[str, Any]:
        """What the library knows of it: computation, networks, notes, times of loading, memory."""
        return self._opened().fresh_description()

    def get_inputs(self) -> List[NodeArg]:
        """What it takes, in order."""
        if self._inputs is None:
            library, model = _native.native(), self._opened().pointer
            self._inputs = _described(lambda block, error: library.apus_inputs(model, None, block, error))
        return self._inputs

    def get_outputs(self) -> List[NodeArg]:
        """What it gives, in order, for the shapes that the model states."""
        if self._outputs is None:
            library, model = _native.native(), self._opened().pointer
            self._outputs = _described(lambda block, error: library.apus_outputs(model, None, None, 0, block, error))
        return self._outputs

    def close(self) -> None:
        """Gives the model up. Runs that are under way end; later ones raise ``ClosedError``."""
        self._closed = True
        self._model = None
        self._plans = {}

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *details: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        name = os.path.basename(self._path.rstrip("/")) or "bytes"
        if self._closed:
            return f"<Session {name!r}, closed>"
        if self._model is None:
            return f"<Session {name!r}, opened by its first use>"
        takes = ", ".join(f"{each.name}: {each.dtype}{_sizes(each.shape)}" for each in self.get_inputs())
        gives = ", ".join(each.name for each in self.get_outputs())
        return f"<Session {name!r}: {takes} -> {gives}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._content is not None:
            return _restored, (type(self), "", self._content, dict(self._settings), None)
        path = os.path.abspath(self._path) if os.path.exists(self._path) else self._path
        return _restored, (type(self), path, None, dict(self._settings), self._expected or fingerprint(path))

    # Running

    def run(
        self, output_names: Optional[Sequence[str]], input_feed: Mapping[str, Any], run_options: Any = None, *,
        cancel: Optional[CancelToken] = None,
    ) -> List[Any]:  # fmt: skip
        """Outputs for inputs.

        Contiguous arrays are read where they are; others are copied first.

        Args:
            output_names: those that are wanted, in this order; None for all.
            input_feed: an array of NumPy, anything with the buffer protocol or DLPack, or numbers in lists, by the names of
                :meth:`get_inputs`.
            run_options: taken for ONNX Runtime's sake; nothing in it counts.
            cancel: stops the run.

        Returns:
            an array for each output; without NumPy a ``memoryview``.

        Raises:
            ArgumentError: a name, type or shape that the model does not take.
            CancelledError: the run was stopped.
        """
        model = self._model or self._opened()
        numpy = loaded_numpy()
        ndarray = None if numpy is None else numpy.ndarray
        parts: List[Any] = [output_names if output_names is None else tuple(output_names)]
        addresses: List[int] = []
        held: List[Any] = []
        for name, value in input_feed.items():
            if type(value) is ndarray and value.flags.c_contiguous and value.dtype.isnative:
                # What most callers pass, by the shortest way.
                addresses.append(address_of(value, value.flags.writeable))
                parts += (name, value.dtype.char, value.shape)
                continue
            if not isinstance(name, str):
                raise ArgumentTypeError(f"a key of type {type(name).__name__}, expected a str", "inputs")
            found = view(value, name, None if hasattr(value, "shape") else self._type_of(name))
            held.append(found)  # Its memory is lent for as long as it lives.
            addresses.append(found.address)
            parts += (name, found.type, found.shape)
        key = tuple(parts)
        plan = self._take(key)
        if plan is None:
            views = {name: view(value, name, self._type_of(name)) for name, value in input_feed.items()}
            plan = self._plan(model, views, parts[0])
        arrays = self._run(model, plan, addresses, (input_feed, held), cancel)
        self._give_back(key, plan)
        return arrays

    def _take(self, key: Any) -> Optional[_Plan]:
        plans = self._plans.get(key)
        try:
            return plans.pop() if plans else None
        except IndexError:  # Another thread took the last one.
            return None

    def _give_back(self, key: Any, plan: _Plan) -> None:
        plans = self._plans.get(key)
        if plans is None:
            if len(self._plans) >= _PLANS:
                self._plans.clear()
            plans = self._plans.setdefault(key, [])
        plans.append(plan)

    async def arun(
        self,
        output_names: Optional[Sequence[str]],
        input_feed: Mapping[str, Any],
        *,
        cancel: Optional[CancelToken] = None,
    ) -> List[Any]:
        """:meth:`run` without blocking the event loop; a task that is cancelled stops it."""
        return await in_background(lambda token: self.run(output_names, input_feed, cancel=token), cancel)

    def __call__(self, *tensors: Any, **named: Any) -> List[Any]:
        """All outputs for inputs in their order, or by their names."""
        if not tensors:
            return self.run(None, named)
        takes = self.get_inputs()
        if len(tensors) > len(takes):
            raise ArgumentError(f"{len(tensors)} tensors, expected at most {len(takes)}", "inputs")
        return self.run(None, {**{each.name: tensor for each, tensor in zip(takes, tensors)}, **named})

    def _type_of(self, name: str) -> Optional[str]:
        for each in self.get_inputs():
            if each.name == name:
                return each.dtype
        return None

    def _plan(self, model: Opened, views: Mapping[str, View], wanted: Optional[Sequence[str]]) -> _Plan:
        library = _native.native()
        inputs = (_native.Tensor * len(views))()
        for name in views:
            if not isinstance(name, str):
                raise ArgumentTypeError(f"a key of type {type(name).__name__}, expected a str", "inputs")
            if "\0" in name:
                raise ArgumentError("an input's name with a zero in it", "inputs")
        kept = [name.encode("utf-8", "surrogatepass") for name in views]
        for tensor, key, each in zip(inputs, kept, views.values()):
            tensor.size = _TENSOR_SIZE
            tensor.name = key
            tensor.type = TYPE_NUMBERS[each.type]
            if len(each.shape) > MAX_RANK:
                raise ArgumentError(f"{len(each.shape)} axes, expected at most {MAX_RANK}", key.decode("utf-8", "replace"))
            tensor.rank = len(each.shape)
            tensor.dimensions[: len(each.shape)] = each.shape
            tensor.byte_count = each.nbytes
        block, slot = ctypes.c_void_p(None), _native.ErrorSlot()
        if library.apus_outputs(
            model.pointer, None, ctypes.addressof(inputs), len(inputs), ctypes.addressof(block), slot.address
        ):
            slot.throw(self._path)
        try:
            found = _native.Tensors.from_address(block.value or 0)
            given = [
                (
                    found.items[place].name or b"", TYPE_NAMES[found.items[place].type],
                    tuple(found.items[place].dimensions[: found.items[place].rank]),
                )
                for place in range(found.count)
            ]  # fmt: skip
        finally:
            library.apus_free(block)
        if wanted is None:
            chosen = given
        else:
            by_name = {name.decode("utf-8", "replace"): (name, type, shape) for name, type, shape in given}
            for asked in wanted:
                if asked not in by_name:
                    raise ArgumentError(f"no output of that name, expected one of {', '.join(by_name)}", str(asked))
            chosen = [by_name[asked] for asked in wanted]
        outputs = (_native.Tensor * len(chosen))()
        for tensor, (label, kind, shape) in zip(outputs, chosen):
            tensor.size = _TENSOR_SIZE
            tensor.byte_count = _bytes(kind, shape)
            if wanted is not None:
                tensor.name = label
        return _Plan(inputs, kept + [label for label, _, _ in chosen], outputs, [(type, shape) for _, type, shape in chosen])

    def _run(self, model: Opened, plan: _Plan, addresses: Sequence[int], held: Any, cancel: Optional[CancelToken]) -> List[Any]:
        for tensor, address in zip(plan.inputs, addresses):
            tensor.data = address
        arrays = plan.ready()
        start = time.perf_counter()
        if cancel is None and plan.seconds < _SLOW:
            status = plan.function(model.pointer, None, *plan.arguments, None, plan.error.address)
        else:
            token = cancel or CancelToken()
            if token.is_cancelled:
                raise CancelledError("the run was cancelled before it began")
            options = CallOptions(token)

            def work() -> Tuple[int, Any]:
                # What is written to lives until this is done, even if nobody waits for it any more.
                found = plan.function(model.pointer, None, *plan.arguments, options.address, plan.error.address)
                return found, (plan, arrays, held)

            status = interruptible(work, token)[0] if plan.seconds > _SLOW else work()[0]
        plan.seconds = time.perf_counter() - start
        return plan.done(arrays) if status == 0 else self._run_all(model, plan, cancel)

    def _run_all(self, model: Opened, plan: _Plan, cancel: Optional[CancelToken]) -> List[Any]:
        """The outputs where their shapes are known only when they are computed; else the error of the run."""
        first = plan.error.take(self._path or None)
        room = [_bytes(*result) for result in plan.results]
        is_short = any(tensor.byte_count > bytes for tensor, bytes in zip(plan.outputs, room))
        for tensor, bytes in zip(plan.outputs, room):
            tensor.byte_count = bytes
        if not is_short:
            raise first
        library = _native.native()
        block, slot = ctypes.c_void_p(None), _native.ErrorSlot()
        options = None if cancel is None else CallOptions(cancel)
        if library.apus_run_all(
            model.pointer, None, *plan.arguments[:2], None if options is None else options.address,
            ctypes.addressof(block), slot.address,
        ):  # fmt: skip
            slot.throw(self._path or None)
        try:
            found = _native.Tensors.from_address(block.value or 0)
            by_name = {found.items[place].name: place for place in range(found.count)}
            places = [place if not tensor.name else by_name[tensor.name] for place, tensor in enumerate(plan.outputs)]
            return [_copied(found.items[place]) for place in places]
        finally:
            library.apus_free(block)


def _bytes(type: str, shape: Sequence[int]) -> int:
    count = TYPES[type].size
    for size in shape:
        count *= size
    return count


def _copied(tensor: Any) -> Any:
    array, address = new_array(TYPE_NAMES[tensor.type], tuple(tensor.dimensions[: tensor.rank]))
    if tensor.byte_count and array.nbytes:
        ctypes.memmove(address, tensor.data, array.nbytes)
    return array


def _cut(array: Any, shape: Tuple[int, ...]) -> Any:
    """The beginning of an array that had room for more."""
    count = 1
    for size in shape:
        count *= size
    if loaded_numpy() is not None and hasattr(array, "dtype"):
        return array.reshape(-1)[:count].reshape(shape)
    flat = array.cast("B")[: count * array.itemsize]
    return flat.cast(array.format, list(shape)) if count else flat.cast(array.format)


def _described(call: Any) -> List[NodeArg]:
    block, slot = ctypes.c_void_p(None), _native.ErrorSlot()
    if call(ctypes.addressof(block), slot.address):
        slot.throw()
    try:
        found = _native.Tensors.from_address(block.value or 0)
        described = []
        for place in range(found.count):
            tensor = found.items[place]
            name = (tensor.name or b"").decode("utf-8", "replace")
            shape: List[Union[int, str, None]] = [
                None if tensor.free_axes >> axis & 1 else int(tensor.dimensions[axis]) for axis in range(tensor.rank)
            ]
            described.append(NodeArg(name, shape, TYPES[TYPE_NAMES[tensor.type]].onnx, bool(tensor.is_optional)))
        return described
    finally:
        _native.native().apus_free(block)


def _sizes(shape: Sequence[Any]) -> str:
    return "[" + ", ".join("?" if size is None else str(size) for size in shape) + "]"


def _open_content(content: bytes, settings: str) -> Opened:
    """A model whose bytes are in memory: the library reads files, so they get one that has no name."""
    import hashlib

    descriptor = os.memfd_create("apus-model", os.MFD_CLOEXEC)
    try:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(content)
        identity = f"bytes {hashlib.sha256(content).hexdigest()}"
        return opened(f"/proc/self/fd/{descriptor}", "tensors", settings, identity=identity)
    finally:
        os.close(descriptor)


def _restored(cls: Type[Session], path: str, content: Optional[bytes], settings: Dict[str, Any], digest: Optional[str]) -> Any:
    session = cls.__new__(cls)
    session._prepare(path, content, settings)
    session._expected = digest
    session._keeps = content is None
    return session
