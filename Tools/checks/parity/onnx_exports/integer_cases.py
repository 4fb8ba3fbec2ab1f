"""Generated cases of ONNX's operators on integers with scales: what the node tests of ONNX hardly touch."""
import pathlib
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ELEMENTS = {
    "uint8": TensorProto.UINT8, "int8": TensorProto.INT8, "uint16": TensorProto.UINT16, "int16": TensorProto.INT16,
    "int32": TensorProto.INT32, "float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "int4": TensorProto.INT4,
    "uint4": TensorProto.UINT4,
}
RANGES = {
    "uint8": (0, 255), "int8": (-128, 127), "uint16": (0, 65535), "int16": (-32768, 32767), "int32": (-(1 << 24), 1 << 24),
    "int4": (-8, 7), "uint4": (0, 15),
}


class Case:
    """A model in the making."""

    def __init__(self, seed, version):
        self.draw = random.Random(seed)
        self.numbers = np.random.default_rng(self.draw.randrange(1 << 30))
        self.version = version
        self.nodes, self.inputs, self.constants, self.values, self.domains = [], [], [], {}, set()

    def array(self, kind, shape):
        low, high = RANGES[kind]
        return np.asarray(self.numbers.integers(low, high, shape, endpoint=True), kind if "4" not in kind else "int8")

    def input(self, name, array):
        self.values[name] = array
        # Half of the cases leave the extents open.
        shape = [f"{name}{axis}" for axis in range(array.ndim)] if self.draw.random() < 0.3 else array.shape
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shape))
        return name

    def constant(self, name, array, kind=None):
        if kind in ("int4", "uint4"):
            self.constants.append(helper.make_tensor(name, ELEMENTS[kind], array.shape, array.flatten().tolist()))
        else:
            self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def operand(self, name, array, share=0.5):
        """A constant or an input."""
        return self.constant(name, array) if self.draw.random() < share else self.input(name, array)

    def node(self, operator, inputs, output, domain="", **attributes):
        self.domains.add(domain)
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def scale(self, *shape, base=0.02, dtype=np.float32):
        # Powers of two bring numbers into the middle of two steps.
        if self.draw.random() < 0.3:
            return np.asarray(2.0 ** self.numbers.integers(-6, -2, shape), dtype)
        return np.asarray(base * (0.5 + self.numbers.random(shape)), dtype)

    def zero(self, kind, *shape):
        if self.draw.random() < 0.25:
            return np.zeros(shape, kind)
        low, high = RANGES[kind]
        middle = (low + high + 1) // 2
        return np.asarray(middle + self.numbers.integers(-min(40, high - middle), min(40, high - middle), shape), kind)

    def write(self, path, outputs):
        graph = helper.make_graph(
            self.nodes, "case", self.inputs, [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs], self.constants)
        sets = [helper.make_opsetid("", self.version)] + [helper.make_opsetid(domain, 1) for domain in self.domains if domain]
        onnx.save(helper.make_model(graph, opset_imports=sets, ir_version=10), path)


def window(draw, height, width):
    """A kernel's size and the attributes of a convolution that fits."""
    size = draw.choice([(1, 1), (3, 3), (2, 3), (1, 5), (3, 1)])
    dilations = draw.choice([(1, 1), (1, 1), (2, 1), (2, 2)])
    attributes = {"kernel_shape": size, "dilations": dilations, "strides": draw.choice([(1, 1), (2, 2), (2, 1)])}
    if draw.random() < 0.25:
        attributes["auto_pad"] = draw.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
        # ONNX does not say what dilations do to it.
        attributes["dilations"] = (1, 1)
    else:
        attributes["pads"] = draw.choice([(0, 0, 0, 0), (1, 1, 1, 1), (1, 0, 2, 1), (2, 2, 2, 2)])
    return size, attributes


def convolution_shapes(draw):
    groups, inputs, outputs = draw.choice([(1, 3, 5), (1, 8, 8), (2, 4, 6), (4, 4, 4), (4, 4, 8), (1, 16, 7), (1, 1, 3), (3, 6, 3)])
    return groups, inputs, outputs, draw.choice([5, 7, 8]), draw.choice([6, 9])


def quantized_convolution(case):
    draw = case.draw
    groups, inputs, outputs, height, width = convolution_shapes(draw)
    size, attributes = window(draw, height, width)
    kind, weights = draw.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")])
    is_line = draw.random() < 0.2
    batch = draw.choice([1, 2])
    if is_line:
        size = size[1:]
        attributes = {name: value if name == "auto_pad" else value[1::2] if name == "pads" else value[1:] for name, value in attributes.items()}
    x = case.input("x", case.array(kind, (batch, inputs) + ((width + 4,) if is_line else (height, width))))
    scales = (outputs,) if draw.random() < 0.6 else ()
    operands = [
        x, case.constant("xs", case.scale()), case.constant("xz", case.zero(kind)),
        case.operand("w", case.array(weights, (outputs, inputs // groups) + size), 0.9),
        case.constant("ws", case.scale(*scales)), case.constant("wz", np.zeros(scales, weights) if scales else case.zero(weights)),
        case.constant("ys", case.scale(base=0.5)), case.constant("yz", case.zero(kind))]
    if draw.random() < 0.6:
        operands.append(case.constant("b", case.numbers.integers(-5000, 5000, outputs).astype(np.int32)))
    case.node("QLinearConv", operands, "y", group=groups, **attributes)
    return [("y", ELEMENTS[kind])]


def integer_convolution(case):
    draw = case.draw
    groups, inputs, outputs, height, width = convolution_shapes(draw)
    size, attributes = window(draw, height, width)
    kind, weights = draw.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8"), ("int8", "uint8")])
    operands = [
        case.input("x", case.array(kind, (draw.choice([1, 2]), inputs, height, width))),
        case.operand("w", case.array(weights, (outputs, inputs // groups) + size), 0.8)]
    if draw.random() < 0.7:
        operands.append(case.operand("xz", case.zero(kind), 0.7))
        if draw.random() < 0.6:
            operands.append(case.constant("wz", case.zero(weights)))
    case.node("ConvInteger", operands, "y", group=groups, **attributes)
    return [("y", TensorProto.INT32)]


def product_shapes(draw):
    rows, depth, columns = draw.choice([1, 3, 5, 8]), draw.choice([1, 4, 7, 33, 64]), draw.choice([1, 2, 6, 17, 32])
    a, b = draw.choice([((), ()), ((), ()), ((2,), ()), ((2,), (2,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (3,))])
    return a + (rows, depth), b + (depth, columns)


def integer_product(case):
    draw = case.draw
    a, b = product_shapes(draw)
    kind, weights = draw.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8"), ("int8", "uint8")])
    operands = [case.input("a", case.array(kind, a)), case.operand("b", case.array(weights, b))]
    if draw.random() < 0.7:
        operands.append(case.operand("az", case.zero(kind), 0.6))
        if draw.random() < 0.7:
            by_column = draw.random() < 0.4 and len(b) == 2
            operands.append(case.constant("bz", case.zero(weights, *((b[-1],) if by_column else ()))))
    case.node("MatMulInteger", operands, "y")
    return [("y", TensorProto.INT32)]


def quantized_product(case):
    draw = case.draw
    a, b = product_shapes(draw)
    kind, weights = draw.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")])
    by_column = draw.random() < 0.4 and len(b) == 2
    shape = (b[-1],) if by_column else ()
    operands = [
        case.input("a", case.array(kind, a)), case.constant("as", case.scale()), case.constant("az", case.zero(kind)),
        case.operand("b", case.array(weights, b)), case.constant("bs", case.scale(*shape)), case.constant("bz", case.zero(weights, *shape)),
        case.constant("ys", case.scale(base=0.5)), case.constant("yz", case.zero(kind))]
    case.node("QLinearMatMul", operands, "y")
    return [("y", ELEMENTS[kind])]


def layout(case, shape):
    """Scales of a whole tensor, of each position of an axis, or of each block of one: their shape, and the attributes."""
    draw = case.draw
    form = draw.choice(["whole", "axis", "axis"] + (["block"] if case.version >= 21 else []))
    if form == "whole" or case.version < 13:
        return (), {}
    axis = draw.randrange(len(shape))
    named = axis - len(shape) if draw.random() < 0.3 else axis
    if form == "axis":
        return (shape[axis],), {"axis": named}
    block = draw.choice([size for size in range(1, shape[axis] + 1) if shape[axis] % size == 0])
    scales = list(shape)
    scales[axis] //= block
    return tuple(scales), {"axis": named, "block_size": block}


def quantization(case):
    draw = case.draw
    shape = draw.choice([(4, 6), (2, 4, 3), (1, 3, 4, 8), (12,), (2, 16)])
    kinds = ["uint8", "int8"] + (["uint16", "int16", "int4", "uint4"] if case.version >= 21 else [])
    kind = draw.choice(kinds)
    scales, attributes = layout(case, shape)
    # Quotients of float16 are rounded to float16 for 16 bits in ONNX Runtime, and not for 8.
    halves = ["float16"] if case.version >= 19 and kind in ("uint8", "int8") else []
    source = draw.choice(["float32"] * 4 + halves + ["int32"] * (case.version == 10 and not scales))
    if source == "int32":
        x = case.numbers.integers(-400, 400, shape).astype(np.int32)
    else:
        x = (case.numbers.normal(0, 3, shape)).astype(source)
        if draw.random() < 0.5:
            # Halves, beyond the ends, and what is no number's neighbour.
            x = (np.round(x * 2) / 2).astype(source)
    dtype = np.float16 if source == "float16" else np.float32
    scale = np.full(scales, 1, dtype) if draw.random() < 0.2 else case.scale(*scales, base=0.05, dtype=dtype)
    operands = [case.input("x", x), case.constant("s", scale)]
    if kind != "uint8" or draw.random() < 0.7:
        zero = np.zeros(scales, np.int8) if "4" in kind else case.zero(kind, *scales)
        operands.append(case.constant("z", zero, kind))
    case.node("QuantizeLinear", operands, "y", **attributes)
    if "4" in kind:
        # An output of four bits has no form in .npy files.
        case.node("DequantizeLinear", ["y", "s", "z"], "r", **attributes)
        return [("r", ELEMENTS["float16" if source == "float16" else "float32"])]
    return [("y", ELEMENTS[kind])]


def dequantization(case):
    draw = case.draw
    shape = draw.choice([(4, 6), (2, 4, 3), (1, 3, 4, 8), (12,), (2, 16)])
    kind = draw.choice(["uint8", "int8", "int32"] + (["uint16", "int16", "int4", "uint4"] if case.version >= 21 else []))
    scales, attributes = layout(case, shape)
    half = case.version >= 19 and draw.random() < 0.2
    array = case.array(kind, shape)
    x = case.constant("x", array, kind) if "4" in kind else case.operand("x", array, 0.3)
    operands = [x, case.constant("s", case.scale(*scales, dtype=np.float16 if half else np.float32))]
    if kind != "int32" and draw.random() < 0.7:
        zero = case.array(kind, scales) if "4" in kind else case.zero(kind, *scales)
        operands.append(case.constant("z", np.asarray(zero), kind))
    case.node("DequantizeLinear", operands, "y", **attributes)
    if x in case.values:
        return [("y", ELEMENTS["float16" if half else "float32"])]
    # A graph of constants alone has nothing to run.
    case.input("t", np.ones((1,), np.float16 if half else np.float32))
    case.node("Mul", ["y", "t"], "r")
    return [("r", ELEMENTS["float16" if half else "float32"])]


def dynamic_quantization(case):
    draw = case.draw
    shape = draw.choice([(4, 6), (2, 5, 8), (1, 3, 4, 8), (9,)])
    x = (case.numbers.normal(draw.choice([0, 3, -3]), draw.choice([0.1, 2]), shape)).astype(np.float32)
    if draw.random() < 0.1:
        x = np.zeros(shape, np.float32)
    case.input("x", x)
    case.nodes.append(helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "s", "z"]))
    if draw.random() < 0.5 or len(shape) < 2:
        return [("y", TensorProto.UINT8), ("s", TensorProto.FLOAT), ("z", TensorProto.UINT8)]
    kind = draw.choice(["int8", "uint8"])
    columns = 5
    case.constant("w", case.array(kind, (shape[-1], columns)))
    case.constant("wz", case.zero(kind))
    case.constant("ws", case.scale(*draw.choice([(), (columns,)])))
    case.node("MatMulInteger", ["y", "w", "z", "wz"], "p")
    case.node("Cast", ["p"], "f", to=1)
    case.node("Mul", ["s", "ws"], "m")
    case.node("Mul", ["f", "m"], "o")
    if draw.random() < 0.6:
        case.constant("b", case.numbers.normal(0, 1, columns).astype(np.float32))
        case.node("Add", ["o", "b"], "r")
        return [("r", TensorProto.FLOAT)]
    return [("o", TensorProto.FLOAT)]


class Bytes:
    """Numbers as bytes with scales between the layers of a case."""

    def __init__(self, case):
        self.case, self.count = case, 0
        self.kind = case.draw.choice(["uint8", "int8"])

    def name(self, what):
        self.count += 1
        return f"{what}{self.count}"

    def real(self, source, scale, zero):
        """DequantizeLinear."""
        return self.case.node("DequantizeLinear", [source, scale, zero], self.name("d"))

    def start(self, shape):
        source = self.case.input(self.name("x"), self.case.array(self.kind, shape))
        return self.real(source, self.case.constant(self.name("s"), self.case.scale()), self.case.constant(self.name("z"), self.case.zero(self.kind)))

    def weight(self, shape, axis, signed=True):
        kind = "int8" if signed else self.kind
        scales = (shape[axis],) if self.case.version >= 13 and self.case.draw.random() < 0.6 else ()
        name = self.case.constant(self.name("w"), self.case.array(kind, shape))
        zero = np.zeros(scales, kind) if scales or kind == "int8" else self.case.zero(kind)
        return self.case.node("DequantizeLinear", [
            name, self.case.constant(self.name("s"), self.case.scale(*scales)), self.case.constant(self.name("z"), zero)],
            self.name("d"), **({"axis": axis} if scales else {}))

    def bias(self, count):
        if self.case.draw.random() < 0.4:
            return []
        name = self.case.constant(self.name("b"), self.case.numbers.integers(-3000, 3000, count).astype(np.int32))
        return [self.case.node("DequantizeLinear", [name, self.case.constant(self.name("s"), np.float32(0.0004))], self.name("d"))]

    def pair(self, source, base=0.1):
        """QuantizeLinear and DequantizeLinear."""
        scale = self.case.constant(self.name("s"), self.case.scale(base=base))
        zero = self.case.constant(self.name("z"), self.case.zero(self.kind))
        quantized = self.case.node("QuantizeLinear", [source, scale, zero], self.name("q"))
        return quantized, scale, zero


def byte_layer(case):
    """An operator between DequantizeLinear and QuantizeLinear."""
    draw = case.draw
    b = Bytes(case)
    shape = (draw.choice([1, 2]), draw.choice([3, 4, 8]), 6, 7)
    form = draw.choice([
        "Conv", "Conv", "Conv", "MatMul", "MatMul", "Gemm", "Add", "Sub", "Mul", "products", "Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSwish",
        "HardSigmoid", "MaxPool", "AveragePool", "GlobalAveragePool", "ReduceMean", "Concat", "Transpose", "Reshape", "Softmax", "Resize", "Pad",
        "Slice", "residual", "Div", "Gelu", "Silu", "Squeeze", "Split"])
    base = 0.05
    if form == "Conv":
        groups, inputs, outputs, height, width = convolution_shapes(draw)
        size, attributes = window(draw, height, width)
        source = b.start((shape[0], inputs, height, width))
        result = case.node("Conv", [source, b.weight((outputs, inputs // groups) + size, 0), *b.bias(outputs)], b.name("y"), group=groups, **attributes)
        if draw.random() < 0.5:
            result = case.node("Relu", [result], b.name("y"))
        base = 0.3
    elif form == "MatMul":
        source = b.start(draw.choice([(3, 16), (2, 3, 16)]))
        result = case.node("MatMul", [source, b.weight((16, 9), 1, draw.random() < 0.7)], b.name("y"))
        if draw.random() < 0.5:
            result = case.node("Add", [result, case.constant(b.name("c"), case.numbers.normal(0, 1, 9).astype(np.float32))], b.name("y"))
        base = 0.3
    elif form == "Gemm":
        source = b.start((3, 16))
        turned = draw.random() < 0.5
        result = case.node("Gemm", [source, b.weight((9, 16) if turned else (16, 9), 0 if turned else 1), *b.bias(9)], b.name("y"), transB=int(turned))
        base = 0.3
    elif form == "products":
        result = case.node("MatMul", [b.start((2, 3, 5, 8)), b.start((2, 3, 8, 6))], b.name("y"))
        base = 0.3
    elif form in ("Add", "Sub", "Mul", "Div"):
        second = draw.choice([shape, (1, shape[1], 1, 1), (shape[1], 1, 1)])
        other = b.start(second)
        if form == "Div":
            other = case.constant(b.name("c"), np.float32(1.7))
        result = case.node(form, [b.start(shape), other], b.name("y"))
    elif form == "residual":
        source = b.start((1, 4, 6, 6))
        inner = b.real(*b.pair(case.node("Conv", [source, b.weight((4, 4, 3, 3), 0)], b.name("y"), pads=[1, 1, 1, 1]), 0.3))
        result = case.node("Relu", [case.node("Add", [source, inner], b.name("y"))], b.name("y"))
    elif form == "Concat":
        result = case.node("Concat", [b.start(shape), b.start(shape)], b.name("y"), axis=draw.choice([1, 3, -1]))
    elif form in ("MaxPool", "AveragePool"):
        attributes = {"kernel_shape": (3, 2), "strides": draw.choice([(1, 1), (2, 2)]), "pads": draw.choice([(0, 0, 0, 0), (1, 0, 1, 1)])}
        result = case.node(form, [b.start(shape)], b.name("y"), **attributes)
    elif form == "ReduceMean":
        source = b.start(shape)
        if case.version >= 18:
            result = case.node(form, [source, case.constant("axes", np.array([2, 3]))], b.name("y"), keepdims=draw.choice([0, 1]))
        else:
            result = case.node(form, [source], b.name("y"), axes=[2, 3], keepdims=draw.choice([0, 1]))
    elif form == "Transpose":
        result = case.node(form, [b.start(shape)], b.name("y"), perm=draw.choice([(0, 2, 3, 1), (3, 0, 1, 2)]))
    elif form == "Reshape":
        result = case.node(form, [b.start(shape), case.constant("to", np.array([0, -1]))], b.name("y"))
    elif form == "Clip":
        result = case.node(form, [b.start(shape), case.constant("low", np.float32(draw.choice([0, -0.4]))), case.constant("high", np.float32(draw.choice([6, 0.7])))], b.name("y"))
    elif form == "Softmax":
        result = case.node(form, [b.start(shape)], b.name("y"), axis=draw.choice([1, -1]))
        base = 1 / 256
    elif form == "Resize":
        result = case.node(form, [b.start(shape), "", case.constant("factors", np.array([1, 1, 2, 2], np.float32))], b.name("y"), mode=draw.choice(["nearest", "linear"]))
    elif form == "Pad":
        result = case.node(form, [b.start(shape), case.constant("pads", np.array([0, 0, 1, 1, 0, 0, 1, 2]))], b.name("y"))
    elif form == "Slice":
        result = case.node(form, [b.start(shape), case.constant("from", np.array([1])), case.constant("to", np.array([5])), case.constant("axes", np.array([2]))], b.name("y"))
    elif form == "Gelu":
        source = b.start(shape)
        inner = case.node("Erf", [case.node("Div", [source, case.constant("root", np.float32(2**0.5))], b.name("y"))], b.name("y"))
        inner = case.node("Add", [inner, case.constant("one", np.float32(1))], b.name("y"))
        result = case.node("Mul", [case.node("Mul", [source, inner], b.name("y")), case.constant("half", np.float32(0.5))], b.name("y"))
    elif form == "Silu":
        source = b.start(shape)
        result = case.node("Mul", [source, case.node("Sigmoid", [source], b.name("y"))], b.name("y"))
    elif form == "Squeeze":
        source = b.start((2, 1, 5))
        result = case.node(form, [source, case.constant("axes", np.array([1]))], b.name("y")) if case.version >= 13 else case.node(form, [source], b.name("y"), axes=[1])
    elif form == "Split":
        source = b.start((2, 6, 5))
        case.nodes.append(helper.make_node("Split", [source], ["left", "right"], axis=1, **({"num_outputs": 2} if case.version >= 18 else {})))
        result = case.node("Mul", ["left", "right"], b.name("y"))
    else:
        if form == "HardSwish" and case.version < 14:
            form = "HardSigmoid"
        result = case.node(form, [b.start(shape)], b.name("y"))
        base = 0.01 if form in ("Sigmoid", "HardSigmoid", "Tanh") else base
    quantized, scale, zero = b.pair(result, base)
    if draw.random() < 0.3:
        # The same numbers again as floats: within a step of the others.
        case.step = float(next(numpy_helper.to_array(c) for c in case.constants if c.name == scale))
    return [(quantized, ELEMENTS[b.kind])]


# The maker of each kind of case, the versions of ONNX's operators it is made for, and by how many steps a result may differ.
KINDS = {
    "QLinearConv": (quantized_convolution, (10, 13, 17), 0),
    "ConvInteger": (integer_convolution, (10, 17), 0),
    "MatMulInteger": (integer_product, (10, 17), 0),
    "QLinearMatMul": (quantized_product, (10, 17, 21), 0),
    "QuantizeLinear": (quantization, (10, 13, 19, 21, 23), 0),
    "DequantizeLinear": (dequantization, (10, 13, 19, 21, 23), 0),
    "DynamicQuantizeLinear": (dynamic_quantization, (11, 17), 0),
    "between DequantizeLinear and QuantizeLinear": (byte_layer, (13, 17, 21), 1),
}


def run(judge, count, seed, folder, only=None):
    for kind, (make, versions, steps) in KINDS.items():
        for index in range(max(1, count // 3)):
            if only is not None and f"{kind}/{index}" != only:
                continue
            case = Case(f"{seed}/{kind}/{index}", versions[index % len(versions)])
            path = pathlib.Path(folder) / f"{kind.split()[0]}-{index}.onnx"
            case.write(path, make(case))
            operators = "+".join(node.op_type for node in case.nodes) if steps else ""
            judge.judge(kind, f"{seed}/{index} {operators}(version {case.version})", path, [case.values], steps=steps)
