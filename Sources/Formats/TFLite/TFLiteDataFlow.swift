import TensorCore

/// The order of a subgraph: operators run as they stand in the file, so what one reads must be given, constant
/// or written before, and nothing may be written twice. A graph that passes has no cycle.
enum TFLiteDataFlow {
  /// - Throws: ``ApusError`` that names the first operator and tensor out of order.
  static func verify(
    tensors: [TFLiteTensor], inputs: [Int], outputs: [Int], operators: [TFLiteOperator]
  ) throws(ApusError) {
    var origins = [Origin?](repeating: nil, count: tensors.count)
    for tensor in tensors where tensor.data != nil || tensor.isExternal { origins[tensor.index] = .constant }
    for index in inputs {
      if let origin = origins[index] {
        throw ApusError(
          .malformedModel, "an input of the subgraph is \(origin.description(operators))",
          expected: "a tensor without data, once",
          at: tensors[index].label)
      }
      origins[index] = .input
    }
    for step in operators {
      for case let index? in step.inputs where origins[index] == nil && !tensors[index].needsNoOrigin {
        throw ApusError(
          .malformedModel, "it reads \(tensors[index].label) before anything has written it",
          expected: "operators in an order in which they can run", at: step.label)
      }
      for index in step.outputs {
        if let origin = origins[index] {
          throw ApusError(
            .malformedModel, "it writes \(tensors[index].label), which is \(origin.description(operators))",
            expected: "one origin of each tensor", at: step.label)
        }
        origins[index] = .step(step.index)
      }
    }
    for index in outputs where origins[index] == nil && !tensors[index].needsNoOrigin {
      throw ApusError(
        .malformedModel, "an output of the subgraph that nothing writes", at: tensors[index].label)
    }
  }

  /// Where the value of a tensor is from.
  private enum Origin {
    case constant
    case input
    case step(Int)

    func description(_ operators: [TFLiteOperator]) -> String {
      switch self {
      case .constant: "a constant"
      case .input: "an input of the subgraph already"
      case .step(let index): "written by \(operators[index].label) already"
      }
    }
  }
}

extension TFLiteTensor {
  /// Variables hold a value before the first run, and a tensor without elements has nothing to write.
  fileprivate var needsNoOrigin: Bool { isVariable || shape.elementCount == 0 }
}
