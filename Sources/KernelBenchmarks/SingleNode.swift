import Graph
import Kernels
import TensorCore

/// An operation as the only node of a graph, so that what is measured is what models run.
struct SingleNode: Sendable {
  enum Operand: Sendable {
    case input(Tensor)
    case constant(Tensor)
  }

  let operation: any Operation
  let operands: [Operand]
  /// What a model declares of the result, where the operation leaves a choice.
  var result: TensorType?
  var precision: Precision?

  /// The operation with each row of the family whose kernels it runs.
  ///
  /// All work in the same memory where their plans agree: where operands lie in the caches makes a difference of a
  /// third, which is not one of kernels.
  func variants(_ family: NumericFamily, threads: Int) throws(ApusError) -> [KernelVariant] {
    let rows = try FamilyRow.rows(of: family)
    var models: [CompiledModel] = []
    for row in rows { models.append(try compiled(row.kernels, threads: threads)) }
    guard let largest = models.max(by: { $0.plan.byteCount < $1.plan.byteCount }) else { return [] }
    let shared = try largest.makeWorkspace().memory
    var variants: [KernelVariant] = []
    for (row, model) in zip(rows, models) {
      let agrees = model.plan.offsets == largest.plan.offsets
      let workspace = agrees ? model.makeWorkspace(in: shared) : try model.makeWorkspace()
      variants.append(try variant(row.name, row.set, isPicked: row.isPicked, workspace))
    }
    return variants
  }

  /// An operation that no family has kernels for.
  func variants(threads: Int) throws(ApusError) -> [KernelVariant] {
    let workspace = try compiled(.best, threads: threads).makeWorkspace()
    return [try variant("portable", nil, isPicked: true, workspace)]
  }

  private func variant(
    _ name: String, _ set: InstructionSet?, isPicked: Bool, _ workspace: Workspace
  ) throws(ApusError) -> KernelVariant {
    try workspace.setInputs(inputs)
    return KernelVariant(name: name, set: set, isPicked: isPicked) { (count) throws(ApusError) in
      for _ in 0..<count { try workspace.run() }
    }
  }

  private func compiled(_ kernels: KernelSet, threads: Int) throws(ApusError) -> CompiledModel {
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = threads
    options.precision = precision
    return try Compiler.compile(try graph(kernels), options)
  }

  private var inputs: [Tensor] {
    operands.compactMap { if case .input(let tensor) = $0 { tensor } else { nil } }
  }

  private func graph(_ kernels: KernelSet) throws(ApusError) -> Graph {
    var builder = GraphBuilder(kernels: kernels)
    var values: [Value?] = []
    for (index, operand) in operands.enumerated() {
      switch operand {
      case .input(let tensor): values.append(builder.input("operand \(index)", tensor.type))
      case .constant(let tensor): values.append(builder.constant("operand \(index)", tensor))
      }
    }
    let results = try builder.add(
      operation, values, results: [GraphBuilder.Declaration("result", result)], label: operation.name)
    for value in results { builder.output(value) }
    return builder.graph
  }
}
