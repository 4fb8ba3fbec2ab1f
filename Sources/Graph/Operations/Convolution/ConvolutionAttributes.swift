import TensorCore

/// How the filters of a convolution lie over an image, and what is done to the sums.
package struct ConvolutionAttributes: Hashable, Sendable {
  package var padding: Padding
  package var strideY = 1
  package var strideX = 1
  package var dilationY = 1
  package var dilationX = 1
  package var activation: Activation

  package init(
    padding: Padding, strideY: Int = 1, strideX: Int = 1, dilationY: Int = 1, dilationX: Int = 1,
    activation: Activation = .none
  ) {
    self.padding = padding
    self.strideY = strideY
    self.strideX = strideX
    self.dilationY = dilationY
    self.dilationX = dilationX
    self.activation = activation
  }
}

/// A convolution over operand 0 with the weights in operand 1 and, where there is one, the bias in operand 2.
package protocol ImageConvolution: Operation {
  var attributes: ConvolutionAttributes { get set }

  init(_ attributes: ConvolutionAttributes)

  /// - Throws: ``ApusError`` when image and weights do not fit.
  func geometry(_ operands: Operands) throws(ApusError) -> ConvolutionGeometry
}

extension ImageConvolution {
  package var resultMeaning: ResultMeaning { .activated(attributes.activation) }

  package init(
    padding: Padding, strideY: Int = 1, strideX: Int = 1, dilationY: Int = 1, dilationX: Int = 1,
    activation: Activation = .none
  ) {
    self.init(
      ConvolutionAttributes(
        padding: padding, strideY: strideY, strideX: strideX, dilationY: dilationY, dilationX: dilationX,
        activation: activation))
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func multiplyAccumulates(_ operands: Operands, results: [TensorType]) -> Int {
    (try? geometry(operands).multiplyAccumulates()) ?? 0
  }

  /// Whether weights are of a float type, and so sums too.
  func hasFloatSums(_ operands: Operands) -> Bool {
    guard operands.inputs.count > 1, let weights = operands.inputs[1] else { return false }
    return weights.dataType == .float32 || weights.dataType == .float16
  }

  /// The same convolution with other attributes.
  func with<Attribute>(
    _ attribute: WritableKeyPath<ConvolutionAttributes, Attribute>, _ value: Attribute
  ) -> Self {
    var copy = self
    copy.attributes[keyPath: attribute] = value
    return copy
  }
}
