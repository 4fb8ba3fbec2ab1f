import Kernels
import TensorCore

/// Runs a single lowered node on constants.
package enum Evaluator {
  /// The results of `lowering` for operands that are all known (or not read).
  package static func evaluate(
    _ lowering: Lowering, operands: Operands, results: [TensorType], threads: Int = 1
  ) throws(ApusError) -> [Tensor] {
    if let aliased = lowering.aliasedInput, let tensor = operands.constant(aliased), let type = results.first
    {
      return [try tensor.reinterpreted(as: type)]
    }
    var storages: [TensorStorage] = []
    for type in results { storages.append(try TensorStorage(byteCount: type.byteCount)) }
    let scratch = try TensorStorage(byteCount: lowering.scratchByteCount)
    let memory = NodeMemory(
      inputs: operands.constants.map { $0.flatMap { UnsafeRawPointer($0.bytes.baseAddress) } },
      inputCounts: operands.inputs.map { $0?.shape.elementCount ?? 0 },
      outputs: storages.map(\.base), outputCounts: results.map(\.shape.elementCount), scratch: scratch.base)
    defer { withExtendedLifetime((operands, storages, scratch)) {} }
    try memory.run(lowering.body, threads: threads)
    var tensors: [Tensor] = []
    for (index, type) in results.enumerated() {
      tensors.append(
        try Tensor(type.withLeadingDimension(memory.leadingDimension(index)), storage: storages[index]))
    }
    return tensors
  }
}

extension TensorType {
  /// The type of a result of which only `count` rows are there this time; all when nil.
  func withLeadingDimension(_ count: Int?) throws(ApusError) -> TensorType {
    guard let count else { return self }
    return TensorType(
      dataType, try Shape([count] + shape.dimensions.dropFirst()), quantization: quantization)
  }
}
