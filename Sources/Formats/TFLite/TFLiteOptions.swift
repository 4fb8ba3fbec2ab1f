/// How a builtin operator is configured. Each operator has one fixed case; options that the file leaves out
/// are at the defaults of the schema.
package enum TFLiteOptions: Sendable, Equatable {
  /// The operator takes none, or Apus has no use for them.
  case none
  case conv2D(Conv2D)
  case depthwiseConv2D(DepthwiseConv2D)
  case transposeConv(TransposeConv)
  /// AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D.
  case pool2D(Pool2D)
  case fullyConnected(FullyConnected)
  case batchMatMul(BatchMatMul)
  case stridedSlice(StridedSlice)
  /// ADD, SUB, MUL and DIV, and L2_NORMALIZATION, which ignores the activation.
  case elementwise(activation: TFLiteActivation, powerOfTwoScale: Bool)
  case softmax(beta: Float)
  case concatenation(axis: Int, activation: TFLiteActivation)
  case localResponseNormalization(radius: Int, bias: Float, alpha: Float, beta: Float)
  /// The shape when it is not an input; nil when the file gives none here.
  case reshape(newShape: [Int]?)
  case squeeze(axes: [Int])
  /// MEAN, SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ANY and REDUCE_ALL.
  case reduce(keepDimensions: Bool)
  case gather(axis: Int, batchDimensions: Int)
  /// SPLIT and SPLIT_V.
  case split(count: Int)
  case pack(count: Int, axis: Int)
  case unpack(count: Int, axis: Int)
  case mirrorPad(TFLiteMirrorPadMode)
  /// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
  case resize(alignCorners: Bool, halfPixelCenters: Bool)
  case leakyRelu(alpha: Float)
  /// ARG_MAX and ARG_MIN.
  case argumentExtremum(outputType: TFLiteTensorType)
  case oneHot(axis: Int)
  case cast(from: TFLiteTensorType, to: TFLiteTensorType)
  case shape(outputType: TFLiteTensorType)
  /// SPACE_TO_DEPTH and DEPTH_TO_SPACE.
  case blocks(size: Int)
  case gelu(approximate: Bool)
  case cumulativeSum(exclusive: Bool, reverse: Bool)
  case reverseSequence(sequenceAxis: Int, batchAxis: Int)
  case fakeQuantization(minimum: Float, maximum: Float, bits: Int, narrowRange: Bool)
  case unique(indexType: TFLiteTensorType)
  case bucketize(boundaries: [Float])
  /// STABLEHLO_COMPOSITE: an operation by name, spelled out in another subgraph.
  case composite(name: String, decomposition: Int, version: Int)
}

extension TFLiteOptions {
  package struct Conv2D: Sendable, Equatable {
    package let padding: TFLitePadding
    package let stride: TFLiteExtent
    package let dilation: TFLiteExtent
    package let activation: TFLiteActivation
    /// The type of bias and sums in quantized form; `float32` when not set.
    package let quantizedBiasType: TFLiteTensorType
  }

  package struct DepthwiseConv2D: Sendable, Equatable {
    package let padding: TFLitePadding
    package let stride: TFLiteExtent
    package let dilation: TFLiteExtent
    package let activation: TFLiteActivation
    /// Redundant: the shapes give it, and files exist where this is wrong.
    package let depthMultiplier: Int
  }

  package struct TransposeConv: Sendable, Equatable {
    package let padding: TFLitePadding
    package let stride: TFLiteExtent
    package let activation: TFLiteActivation
    /// The type of bias and sums in quantized form; `float32` when not set.
    package let quantizedBiasType: TFLiteTensorType
  }

  package struct Pool2D: Sendable, Equatable {
    package let padding: TFLitePadding
    package let stride: TFLiteExtent
    package let filter: TFLiteExtent
    package let activation: TFLiteActivation
  }

  package struct FullyConnected: Sendable, Equatable {
    package let activation: TFLiteActivation
    package let weightsFormat: TFLiteWeightsFormat
    /// Whether the output keeps all dimensions of the input but the last.
    package let keepDimensions: Bool
    /// Whether inputs of a hybrid operator get a zero point.
    package let asymmetricQuantizeInputs: Bool
    /// The type of bias and sums in quantized form; `float32` when not set.
    package let quantizedBiasType: TFLiteTensorType
  }

  package struct BatchMatMul: Sendable, Equatable {
    /// Whether the left matrices are given transposed.
    package let adjointX: Bool
    /// Whether the right matrices are given transposed.
    package let adjointY: Bool
    /// Whether inputs of a hybrid operator get a zero point.
    package let asymmetricQuantizeInputs: Bool
  }

  /// Bit masks with a bit for each axis.
  package struct StridedSlice: Sendable, Equatable {
    package let beginMask: Int
    package let endMask: Int
    package let ellipsisMask: Int
    package let newAxisMask: Int
    package let shrinkAxisMask: Int
    /// Whether the ends count from the begins.
    package let endIsOffset: Bool
  }
}

/// How far something reaches along the two spatial axes; both positive.
package struct TFLiteExtent: Sendable, Equatable {
  package let height: Int
  package let width: Int
}

package enum TFLitePadding: Int8, Sendable {
  case same = 0
  case valid = 1
}

package enum TFLiteActivation: Int8, Sendable {
  case none = 0
  case relu = 1
  case reluN1To1 = 2
  case relu6 = 3
  case tanh = 4
  case signBit = 5
}

package enum TFLiteMirrorPadMode: Int8, Sendable {
  /// The border itself is not repeated.
  case reflect = 0
  /// The border is repeated.
  case symmetric = 1
}

package enum TFLiteWeightsFormat: Int8, Sendable {
  case rowMajor = 0
  case shuffled4x16Int8 = 1
}
