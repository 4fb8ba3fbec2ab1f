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
  func variants(_ family: NumericFamily, threads: Int) throws(ApusError) -> [KernelVariant] {
    var variants: [KernelVariant] = []
    for row in try FamilyRow.rows(of: family) {
      variants.append(
        try variant(row.name, row.set, isPicked: row.isPicked, with: row.kernels, threads: threads))
    }
    return variants
  }

  /// An operation that no family has kernels for.
  func variants(threads: Int) throws(ApusError) -> [KernelVariant] {
    [try variant("portable", nil, isPicked: true, with: .best, threads: threads)]
  }

  private func variant(
    _ name: String, _ set: InstructionSet?, isPicked: Bool, with kernels: KernelSet, threads: Int
  ) throws(ApusError) -> KernelVariant {
    let workspace = try workspace(kernels, threads: threads)
    return KernelVariant(name: name, set: set, isPicked: isPicked) { (count) throws(ApusError) in
      for _ in 0..<count { try workspace.run() }
    }
  }

  private func workspace(_ kernels: KernelSet, threads: Int) throws(ApusError) -> Workspace {
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = threads
    options.precision = precision
    let workspace = try Compiler.compile(try graph(kernels), options).makeWorkspace()
    try workspace.setInputs(inputs)
    return workspace
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
