import Formats
import Models
import TensorCore

/// The tensors of a model brought to other forms, one at a time.
struct WeightConversion {
  /// The conversion of one tensor, and its cost.
  struct Item {
    let entry: SafetensorsEntry
    let role: WeightRole
    let plan: TensorPlan
    /// Scales, for tensors that become int8.
    let rows: QuantizedRows?
    /// Scales, for tensors that become int4.
    let groups: QuantizedGroups?
    let error: SignalToNoise?
    let factors: TensorFactors?

    var isInteger: Bool { rows != nil || groups != nil }

    /// The bytes that it would take in integers; nil where it is of integers, or nothing that they are made of.
    func integerByteCount(_ target: QuantizationTarget, groupSize: Int) -> Int? {
      guard !isInteger, entry.type.dataType?.isFloat == true, entry.shape.count > 1 else { return nil }
      let count = entry.shape.reduce(1, *)
      switch target {
      case .f16, .bf16: return nil
      case .int8: return count + 4 * entry.shape[0]
      case .int4: return count / 2 + 2 * count / groupSize
      }
    }
  }

  private let weights: SafetensorsCollection
  private(set) var items: [Item] = []
  /// Where each name is among ``items``.
  private var places: [ExactText: Int] = [:]

  /// Looks at every tensor: decides its form, finds its scales, and measures the error.
  /// - Parameters:
  ///   - treatment: what is known of the inputs of layers, and done about it.
  ///   - groupSize: columns that have a scale in common in int4.
  ///   - kept: the tensors that do not become integers.
  /// - Throws: ``ApusError`` that names the tensor: not finite, or too large for float16.
  init(
    _ weights: SafetensorsCollection, _ roles: WeightRoles?, _ target: QuantizationTarget,
    _ treatment: ChannelTreatment = ChannelTreatment(),
    groupSize: Int = FolderQuantizer.Options.usualGroupSize, threads: Int,
    kept: LayerPatterns = LayerPatterns()
  ) throws(ApusError) {
    self.weights = weights
    for name in weights.names {
      guard let entry = weights[name] else { continue }
      do {
        let role = roles?[name] ?? .other
        let plan = TensorPlan(
          entry, role, target, groupSize: groupSize, isKept: kept.contains(name))
        places[ExactText(name)] = items.count
        items.append(try Self.item(entry, role, plan, treatment, in: weights, threads: threads))
      } catch {
        throw error.inFile(weights.path(of: name))
      }
    }
  }

  private static func item(
    _ entry: SafetensorsEntry, _ role: WeightRole, _ plan: TensorPlan, _ treatment: ChannelTreatment,
    in weights: SafetensorsCollection, threads: Int
  ) throws(ApusError) -> Item {
    let factors = treatment.scaling.factors(of: entry.name)
    let plan = factors == nil ? plan : plan.scaled
    var rows: QuantizedRows?
    var groups: QuantizedGroups?
    var error: SignalToNoise?
    let tensor = try weights.tensor(entry.name)
    switch plan.form {
    case .kept:
      if tensor.dataType.isFloat { try FloatChunks(tensor, named: entry.name).forEach { _, _ in } }
    case .float(let type):
      error = try NarrowedFloats.error(tensor, as: type, named: entry.name, factors: factors)
    case .rows:
      try requireFree(["_scale"], beside: entry, in: weights)
      rows = try QuantizedRows(
        tensor, named: entry.name, factors: factors, importance: treatment.importance(entry.name),
        threads: threads)
      error = rows?.error
    case .groups(let size):
      try requireFree(["_scale"] + packedEndings, beside: entry, in: weights)
      groups = try QuantizedGroups(tensor, named: entry.name, size: size, threads: threads)
      error = groups?.error
    }
    tensor.discardMappedPages()
    return Item(
      entry: entry, role: role, plan: plan, rows: rows, groups: groups, error: error, factors: factors)
  }

  /// What compressed-tensors adds to the name of a matrix for its packed integers, and its rows and columns.
  private static let packedEndings = ["_packed", "_shape"]

  private static func requireFree(
    _ endings: [String], beside entry: SafetensorsEntry, in weights: SafetensorsCollection
  ) throws(ApusError) {
    for name in endings.map({ entry.name + $0 }) where weights.contains(name) {
      throw ApusError(
        .unsupportedModel, "has a tensor '\(name.clipped)' beside it", expected: "none of that name",
        at: entry.label)
    }
  }

  /// Names and types of what an item becomes.
  func types(_ item: Item) throws(ApusError) -> [(name: String, type: TensorType)] {
    let type = try item.entry.tensorType
    switch item.plan.form {
    case .kept: return [(item.entry.name, type)]
    case .float(let dataType): return [(item.entry.name, TensorType(dataType, type.shape))]
    case .rows:
      return [
        (item.entry.name, TensorType(.int8, type.shape)),
        (item.entry.name + "_scale", TensorType(.float32, try Self.scaleShape(item.rows))),
      ]
    case .groups(let size):
      let scales = try Shape([type.shape[0], type.shape[1] / size])
      return [
        (item.entry.name + "_packed", TensorType(.int32, try QuantizedGroups.packedShape(type.shape))),
        (item.entry.name + "_scale", TensorType(.float16, scales)),
        (item.entry.name + "_shape", TensorType(.int64, .vector(2))),
      ]
    }
  }

  /// A tensor in its new form, or one of its parts.
  func tensor(_ name: String) throws(ApusError) -> Tensor {
    guard let place = places[ExactText(name)] else { return try part(name) }
    let item = items[place]
    let stored = try weights.tensor(name)
    defer { stored.discardMappedPages() }
    switch item.plan.form {
    case .kept, .groups: return stored
    case .float(let type):
      return try NarrowedFloats.tensor(stored, as: type, named: name, factors: item.factors)
    case .rows: return try item.rows?.quantize(stored, named: name) ?? stored
    }
  }

  private func part(_ name: String) throws(ApusError) -> Tensor {
    for ending in ["_scale"] + Self.packedEndings where name.hasSuffix(ending) {
      guard let place = places[ExactText(String(name.dropLast(ending.count)))] else { continue }
      let item = items[place]
      if let rows = item.rows { return try Tensor(rows.scales, shape: Self.scaleShape(rows)) }
      if let groups = item.groups { return try part(ending, of: item, groups) }
    }
    throw ApusError(.argument, "no tensor '\(name.clipped)'")
  }

  private func part(_ ending: String, of item: Item, _ groups: QuantizedGroups) throws(ApusError) -> Tensor {
    switch ending {
    case "_scale": return try groups.scaleTensor(rows: item.entry.shape[0])
    case "_shape": return try Tensor(item.entry.shape.map { Int64($0) })
    default:
      let stored = try weights.tensor(item.entry.name)
      defer { stored.discardMappedPages() }
      return try groups.pack(stored, named: item.entry.name)
    }
  }

  /// [rows, 1], as compressed-tensors has it.
  private static func scaleShape(_ rows: QuantizedRows?) throws(ApusError) -> Shape {
    try Shape([rows?.scales.count ?? 0, 1])
  }
}
