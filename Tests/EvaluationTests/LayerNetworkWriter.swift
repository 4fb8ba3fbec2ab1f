import TestSupport

/// Writes the layers of a ``LayerNetwork`` in one of its forms.
struct LayerNetworkWriter {
  private let form: LayerNetwork.Form
  private var model = TFLiteModelBuilder()
  private var tensors: [Builder.Tensor] = []
  private var operators: [Builder.Operator] = []
  /// The scale of each tensor that has one.
  private var scales: [Int32: Float] = [:]
  let inputShape: [Int32] = [1, Int32(LayerNetwork.size), Int32(LayerNetwork.size), 3]
  private(set) var input: Int32 = 0

  init(_ form: LayerNetwork.Form) {
    self.form = form
    tensors = [Builder.Tensor("x", Builder.float32, inputShape)]
    guard case .integer8 = form else { return }
    input = result("x_int8", inputShape, range: 0)
    operators.append(.init(code: code(114), inputs: [0], outputs: [input]))
  }

  /// Adds a layer of weights with a bias of a hundredth for each output.
  mutating func linear(
    _ builtin: Int32, _ weightShape: [Int32], _ weights: [Float], _ operand: Int32, _ shape: [Int32],
    layer: Int, _ options: Builder.Options, slot: Int, _ activation: Int8
  ) -> Int32 {
    let outputs = Int(weightShape[0])
    let bias = (0..<outputs).map { Float($0) / 100 }
    if case .integer8(_, let changed) = form {
      let factor = changed?.layer == layer ? changed?.factor ?? 1 : 1
      let greatest = weights.reduce(0) { max($0, abs($1)) }
      let scale = greatest / 127
      let biasScale = scale * (scales[operand] ?? 1)
      var tensor = Builder.Tensor(
        "weights\(layer)", Builder.int8, weightShape,
        data: weights.map { UInt8(bitPattern: Int8(($0 / scale).rounded())) })
      tensor.scales = [scale * factor]
      tensor.zeroPoints = [0]
      var stored = Builder.Tensor.constant(
        "bias\(layer)", [Int32(outputs)], bias.map { Int32(($0 / biasScale).rounded()) })
      stored.scales = [biasScale]
      stored.zeroPoints = [0]
      tensors += [tensor, stored]
    } else {
      tensors += [.constant("weights\(layer)", weightShape, weights)]
      tensors += [.constant("bias\(layer)", [Int32(outputs)], bias)]
    }
    let operands = [operand, Int32(tensors.count - 2), Int32(tensors.count - 1)]
    return add(builtin, operands, shape, layer: layer, options, slot: slot, activation)
  }

  /// Adds an operator.
  /// - Parameter slot: where its options have the fused activation.
  mutating func add(
    _ builtin: Int32, _ operands: [Int32], _ shape: [Int32], layer: Int, _ options: Builder.Options,
    slot: Int,
    _ activation: Int8
  ) -> Int32 {
    var options = options
    guard case .separateActivations = form, activation != 0 else {
      options.fields[slot] = .int8(activation)
      let value = result("layer\(layer)", shape, range: layer + 1)
      operators.append(.init(code: code(builtin), inputs: operands, outputs: [value], options: options))
      return value
    }
    let sum = result("sum\(layer)", shape, range: layer + 1)
    operators.append(.init(code: code(builtin), inputs: operands, outputs: [sum], options: options))
    let value = result("layer\(layer)", shape, range: layer + 1)
    operators.append(.init(code: code(activation == 1 ? 19 : 21), inputs: [sum], outputs: [value]))
    return value
  }

  mutating func finished(_ last: Int32, _ shape: [Int32]) -> TFLiteModelBuilder {
    var output = last
    if case .integer8 = form {
      tensors.append(Builder.Tensor("y", Builder.float32, shape))
      output = Int32(tensors.count - 1)
      operators.append(.init(code: code(6), inputs: [last], outputs: [output]))
    }
    model.subgraphs = [.init(tensors: tensors, inputs: [0], outputs: [output], operators: operators)]
    return model
  }

  private mutating func result(_ name: String, _ shape: [Int32], range: Int) -> Int32 {
    let index = Int32(tensors.count)
    guard case .integer8(let ranges, _) = form else {
      tensors.append(Builder.Tensor(name, Builder.float32, shape))
      return index
    }
    let scale = (ranges[range].upperBound - ranges[range].lowerBound) / 255
    let zeroPoint = Int64((-128 - ranges[range].lowerBound / scale).rounded())
    tensors.append(Builder.Tensor(name, Builder.int8, shape, scales: [scale], zeroPoints: [zeroPoint]))
    scales[index] = scale
    return index
  }

  private mutating func code(_ builtin: Int32) -> UInt32 {
    if let known = model.codes.firstIndex(where: { $0.builtin == builtin }) { return UInt32(known) }
    model.codes.append(Builder.Code(builtin, version: 3))
    return UInt32(model.codes.count - 1)
  }
}
