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
      inputs: operands.inputs.count, outputs: results.count, scratch: scratch.base,
      input: { index in
        (
          operands.constants[index].flatMap { UnsafeRawPointer($0.bytes.baseAddress) },
          operands.inputs[index]?.shape.elementCount ?? 0
        )
      },
      output: { (storages[$0].base, results[$0].shape.elementCount) })
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
