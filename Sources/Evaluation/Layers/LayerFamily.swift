import Graph

/// What a layer does; the same for operations that converters put in each other's place.
enum LayerFamily: Hashable {
  case linear, depthwise, transposedConvolution
  case reshape, slice, pad, concatenation, transposition
  case mean, sum
  /// An operation that nothing else stands for, by its name.
  case other(String)

  init(_ operation: any Operation) {
    switch operation {
    case is Linear, is Convolution2D, is FullyConnected: self = .linear
    case is DepthwiseConvolution2D: self = .depthwise
    case is TransposeConvolution2D: self = .transposedConvolution
    case is Reshape, is Squeeze, is ExpandDimensions: self = .reshape
    case is Slice, is StridedSlice: self = .slice
    case is Pad, is MirrorPad: self = .pad
    case is Concatenation: self = .concatenation
    case is Transpose: self = .transposition
    case let pool as Pool2D where pool.kind == .average: self = .mean
    case let reduction as Reduce where reduction.kind == .mean: self = .mean
    case is Add, is AddN: self = .sum
    default: self = .other(operation.name)
    }
  }

  /// Whether operand 1 is a layer's weights.
  var hasWeights: Bool { self == .linear || self == .depthwise || self == .transposedConvolution }

  /// Whether the results are operands' numbers elsewhere.
  var onlyMoves: Bool {
    switch self {
    case .reshape, .slice, .pad, .concatenation, .transposition: true
    default: false
    }
  }
}

extension Operation {
  /// Whether it only changes how numbers are stored.
  var onlyStores: Bool { self is Quantize || self is Dequantize || self is FakeQuantize }

  /// Whether it is one of the four that a converter may make part of weights and biases.
  var isArithmetic: Bool { self is Add || self is Subtract || self is Multiply || self is Divide }
}
