import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import Formats
@testable import Models

extension OperatorVector {
  /// The results of the operator in a file of its own, which is written, read, imported, compiled and run.
  /// - Parameters:
  ///   - isFolded: whether the file has all operands, and not only those that are constant in the case.
  ///   - packedWeights: where packed weights are kept.
  func run(
    _ kernels: KernelSet = .best, isFolded: Bool, packedWeights: PackedWeightStore? = nil
  ) throws -> [Tensor] {
    var options = CompileOptions()
    options.kernels = kernels
    options.packedWeights = packedWeights
    options.threads = 1
    let given = isFolded ? [] : inputs.filter { $0.constant != true }
    let model = try Compiler.compile(graph(isFolded: isFolded), options)
    // Reports say which numbers are multiplied: whatever counts multiplications has to tell.
    let silent = zip(model.lowerings, model.multiplyAccumulates).contains { $0.products == nil && $1 > 0 }
    try #require(!silent, "the kernel does not say which numbers it multiplies")
    return try model.run(given.map { try $0.tensor })
  }

  /// What the importer makes of the operator.
  func operation() throws -> any Operation {
    let model = try TFLiteModel(file(isFolded: false))
    let subgraph = model.subgraphs[0]
    return try TFLiteOperators.operation(for: TFLiteStep(subgraph.operators[0], in: subgraph, of: model))
  }

  private func graph(isFolded: Bool) throws -> Graph {
    let bytes = try file(isFolded: isFolded)
    return try TFLiteImporter(TFLiteModel(bytes)).graph()
  }

  private func file(isFolded: Bool) throws -> [UInt8] {
    var draft = TFLiteDraft()
    let operands = try inputs.map { try draft.add($0, isConstant: isFolded || $0.constant == true) }
    let results = try outputs.map { try draft.add($0, isConstant: false) }
    draft.inputs = operands.filter { draft.tensors[$0].data == nil }
    draft.outputs = results
    let builtin = try #require(TFLiteBuiltin.allCases.first { $0.name == `operator` })
    draft.steps = [
      .init(
        builtin, version: version ?? 1, inputs: operands, outputs: results, options: try options(of: builtin))
    ]
    return try TFLiteWriter.bytes(draft)
  }

  private func options(of builtin: TFLiteBuiltin) throws -> (any TFLiteOptions)? {
    let given = options ?? [:]
    guard let (_, type) = TFLiteOptionTables[builtin] else {
      try #require(given.isEmpty, "\(name): Apus reads no options of \(builtin.name)")
      return nil
    }
    var described: any TFLiteOptionDescription = type.init()
    var fields = VectorFields(values: given)
    try described.pass(through: &fields)
    try #require(fields.values.isEmpty, "\(name): no fields \(fields.values.keys) in \(type)")
    return described
  }
}

extension TFLiteDraft {
  fileprivate mutating func add(_ entry: OperatorVector.Entry, isConstant: Bool) throws -> Int {
    let dataType = try entry.dataType
    let type = try #require(TFLiteTensorType.allCases.first { $0.dataType == dataType })
    return add(
      Tensor(
        "tensor \(tensors.count)", type, entry.shape, data: isConstant ? Array(entry.data) : nil,
        quantization: try entry.quantization))
  }
}

/// Sets the fields of options to those of a case, by their names in the schema.
private struct VectorFields: TFLiteOptionFields {
  /// What no field has taken yet.
  var values: [String: OperatorVector.OptionValue]

  private mutating func number(_ name: String) throws(ApusError) -> Double? {
    switch values.removeValue(forKey: name) {
    case nil: return nil
    case .number(let number): return number
    default: throw ApusError(.argument, "\(name) is no number")
    }
  }

  mutating func integer(
    _ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32
  ) throws(ApusError) {
    value = Int(try number(name) ?? Double(fallback))
  }

  mutating func positive(
    _ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32
  ) throws(ApusError) {
    try integer(slot, name, &value, default: fallback)
  }

  mutating func float(_ slot: Int, _ name: String, _ value: inout Float) throws(ApusError) {
    value = Float(try number(name) ?? 0)
  }

  mutating func flag(_ slot: Int, _ name: String, _ value: inout Bool, default fallback: Bool)
    throws(ApusError)
  {
    switch values.removeValue(forKey: name) {
    case nil: value = fallback
    case .flag(let flag): value = flag
    default: throw ApusError(.argument, "\(name) is no flag")
    }
  }

  mutating func choice<Value: RawRepresentable<Int8>>(
    _ slot: Int, _ name: String, _ value: inout Value
  ) throws(ApusError) {
    guard let found = Value(rawValue: Int8(try number(name) ?? 0)) else {
      throw ApusError(.argument, "\(name) has no such value")
    }
    value = found
  }

  mutating func elementType(
    _ slot: Int, _ name: String, _ value: inout TFLiteTensorType, default fallback: TFLiteTensorType
  ) throws(ApusError) {
    value = fallback
    if let number = try number(name), let type = TFLiteTensorType(rawValue: Int8(number)) { value = type }
  }

  mutating func integers(_ slot: Int, _ name: String, _ values: inout [Int]?) throws(ApusError) {
    values = try list(name)?.map(Int.init)
  }

  mutating func longs(_ slot: Int, _ name: String, _ values: inout [Int]) throws(ApusError) {
    values = try list(name)?.map(Int.init) ?? []
  }

  mutating func floats(_ slot: Int, _ name: String, _ values: inout [Float]) throws(ApusError) {
    values = try list(name)?.map(Float.init) ?? []
  }

  mutating func text(_ slot: Int, _ name: String, _ value: inout String) throws(ApusError) {
    throw ApusError(.argument, "cases have no text for \(name)")
  }

  private mutating func list(_ name: String) throws(ApusError) -> [Double]? {
    switch values.removeValue(forKey: name) {
    case nil: return nil
    case .list(let list): return list
    default: throw ApusError(.argument, "\(name) is no list")
    }
  }
}
