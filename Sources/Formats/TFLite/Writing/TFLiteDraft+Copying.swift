import TensorCore

extension TFLiteDraft {
  /// A draft of the main subgraph of a model as it is, with its signatures.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for what a draft cannot say: several subgraphs, custom
  ///   operators, variables, sparse or external values, other quantization schemes.
  package init(_ model: TFLiteModel) throws(ApusError) {
    guard model.subgraphs.count == 1, let graph = model.subgraphs.first else {
      throw ApusError(.unsupportedModel, "\(model.subgraphs.count) subgraphs", expected: "one")
    }
    description = model.description
    name = graph.name
    inputs = graph.inputs
    outputs = graph.outputs
    for tensor in graph.tensors {
      guard tensor.sparsity == nil else {
        throw ApusError(
          .unsupportedModel, "a sparse encoding, which is not written", at: tensor.label,
          advice: TFLiteSparsity.advice)
      }
      guard !tensor.isVariable, !tensor.isExternal,
        tensor.quantization?.scheme ?? .affine == .affine
      else { throw ApusError(.unsupportedModel, "a tensor of a kind that is not written", at: tensor.label) }
      let isOpen = tensor.shapeSignature != tensor.shape.dimensions
      tensors.append(
        Tensor(
          tensor.name, tensor.type, tensor.shape.dimensions, signature: isOpen ? tensor.shapeSignature : nil,
          data: tensor.data.map { Array(model.bytes[$0]) }, quantization: tensor.quantization?.parameters))
    }
    for step in graph.operators {
      guard let builtin = step.builtin, builtin != .CUSTOM, builtin != .STABLEHLO_COMPOSITE else {
        throw ApusError(.unsupportedModel, "an operator that is not written", at: step.label)
      }
      steps.append(
        Step(
          builtin, version: step.code.version, inputs: step.inputs, outputs: step.outputs,
          options: step.options))
    }
    signatures = model.signatures.map { signature in
      Signature(
        key: signature.key, inputs: signature.inputs.map { (name: $0.name, tensor: $0.tensor) },
        outputs: signature.outputs.map { (name: $0.name, tensor: $0.tensor) })
    }
  }
}
