import Formats
import TensorCore

/// The tensors of the draft that stand for those of the float network.
extension IntegerRewriter {
  /// The integer tensor of an activation: what an operator gives, or behind QUANTIZE.
  mutating func integer(_ tensor: Int) throws(ApusError) -> Int {
    if let known = integers[tensor] { return known }
    let source = network.subgraph.tensors[tensor]
    guard let quantization = quantizations[tensor] else {
      throw ApusError(.malformedModel, "nothing gives it a range", at: source.label)
    }
    let given = floats[tensor]
    let index = draft.add(
      .init(
        source.name + (given == nil ? "" : ending), type, try network.type(tensor).shape.dimensions,
        signature: signature(of: source), quantization: quantization))
    if let given {
      draft.steps.append(.init(.QUANTIZE, version: isWide ? 2 : 1, inputs: [given], outputs: [index]))
    }
    integers[tensor] = index
    return index
  }

  /// The float32 tensor of an activation: what is given, or behind DEQUANTIZE. Of others, the tensor as it is.
  mutating func float(_ tensor: Int) throws(ApusError) -> Int {
    guard network.isActivation(tensor) else { return try plain(tensor) }
    if let known = floats[tensor] { return known }
    let source = network.subgraph.tensors[tensor]
    let given = integers[tensor]
    let index = draft.add(
      .init(
        source.name + (given == nil ? "" : "_float"), .float32, try network.type(tensor).shape.dimensions,
        signature: signature(of: source)))
    if let given {
      draft.steps.append(.init(.DEQUANTIZE, version: isWide ? 3 : 2, inputs: [given], outputs: [index]))
    }
    floats[tensor] = index
    return index
  }

  /// A tensor that is no activation: as it is.
  mutating func plain(_ tensor: Int) throws(ApusError) -> Int {
    let form = ConstantForm(tensor: tensor, quantization: nil)
    if let known = constants[form] { return known }
    let source = network.subgraph.tensors[tensor]
    let type = try network.type(tensor)
    let data = network.constant(tensor).map { constant in constant.withBytes { Array($0) } }
    let elements = TFLiteTensorType.allCases.first { $0.dataType == type.dataType } ?? source.type
    let index = draft.add(
      .init(
        source.name, elements, type.shape.dimensions, signature: data == nil ? signature(of: source) : nil,
        data: data))
    constants[form] = index
    return index
  }

  /// A float constant with one scale and zero point.
  mutating func constant(
    _ tensor: Int, _ constant: Tensor, _ quantization: Quantization
  ) throws(ApusError) -> Int {
    let form = ConstantForm(tensor: tensor, quantization: quantization)
    if let known = constants[form] { return known }
    var data: [UInt8] = []
    let (inverse, zeroPoint) = (1 / quantization.scale, Float(quantization.zeroPoint))
    try FloatChunks(constant, named: network.label(tensor)).forEach { (_, chunk) throws(ApusError) in
      for value in chunk {
        let quantum = (value * inverse + zeroPoint).rounded(.toNearestOrAwayFromZero)
        if isWide {
          let wide = Int16(max(-32768, min(32767, quantum)))
          data += [UInt8(truncatingIfNeeded: wide), UInt8(truncatingIfNeeded: wide >> 8)]
        } else {
          data.append(UInt8(bitPattern: Int8(max(-128, min(127, quantum)))))
        }
      }
    }
    let index = draft.add(
      .init(
        network.subgraph.tensors[tensor].name, type, constant.shape.dimensions, data: data,
        quantization: quantization))
    constants[form] = index
    return index
  }

  /// The open dimensions of a tensor, unless shapes that were computed from them are fixed now.
  func signature(of tensor: TFLiteTensor) -> [Int]? {
    let isOpen = tensor.shapeSignature.contains(-1)
    let dropped = network.subgraph.operators.count - network.steps.count
    let ofWeights = network.subgraph.operators.count { $0.builtin == .DEQUANTIZE || $0.builtin == .DENSIFY }
    return isOpen && dropped <= ofWeights ? tensor.shapeSignature : nil
  }

  func signature(_ signature: TFLiteSignature) -> TFLiteDraft.Signature {
    let inputs = Dictionary(zip(network.subgraph.inputs, draft.inputs)) { first, _ in first }
    let outputs = Dictionary(zip(network.subgraph.outputs, draft.outputs)) { first, _ in first }
    return .init(
      key: signature.key,
      inputs: signature.inputs.compactMap { binding in
        inputs[binding.tensor].map { (name: binding.name, tensor: $0) }
      },
      outputs: signature.outputs.compactMap { binding in
        outputs[binding.tensor].map { (name: binding.name, tensor: $0) }
      })
  }
}
