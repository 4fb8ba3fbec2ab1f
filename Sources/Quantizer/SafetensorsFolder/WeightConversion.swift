import Formats
import Models
import TensorCore

/// The tensors of a model brought to other forms, one at a time.
struct WeightConversion {
  /// What is to be done with one tensor, and what it costs.
  struct Item {
    let entry: SafetensorsEntry
    let role: WeightRole
    let plan: TensorPlan
    /// Scales, for tensors that become int8.
    let rows: QuantizedRows?
    let error: SignalToNoise?
    let factors: TensorFactors?
  }

  private let weights: SafetensorsCollection
  private(set) var items: [Item] = []
  /// Where each name is among ``items``.
  private var places: [String: Int] = [:]

  /// Looks at every tensor: decides its form, finds its scales, and measures the error.
  /// - Parameters:
  ///   - treatment: what is known of the inputs of layers, and done about it.
  ///   - kept: the tensors that do not become int8.
  /// - Throws: ``ApusError`` that names the tensor: not finite, or too large for float16.
  init(
    _ weights: SafetensorsCollection, _ roles: WeightRoles?, _ target: QuantizationTarget,
    _ treatment: ChannelTreatment = ChannelTreatment(), threads: Int, kept: LayerPatterns = LayerPatterns()
  ) throws(ApusError) {
    self.weights = weights
    for name in weights.names {
      guard let entry = weights[name] else { continue }
      do {
        let role = roles?[name] ?? .other
        let plan = TensorPlan(entry, role, target, isKept: kept.contains(name))
        places[name] = items.count
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
    var error: SignalToNoise?
    let tensor = try weights.tensor(entry.name)
    switch plan.form {
    case .kept:
      if tensor.dataType.isFloat { try FloatChunks(tensor, named: entry.name).forEach { _, _ in } }
    case .float(let type):
      error = try NarrowedFloats.error(tensor, as: type, named: entry.name, factors: factors)
    case .rows:
      let scaleName = entry.name + "_scale"
      guard !weights.contains(scaleName) else {
        throw ApusError(
          .unsupportedModel, "has a tensor '\(scaleName.clipped)' beside it", expected: "none of that name",
          at: entry.label)
      }
      rows = try QuantizedRows(
        tensor, named: entry.name, factors: factors, importance: treatment.importance(entry.name),
        threads: threads)
      error = rows?.error
    }
    tensor.discardMappedPages()
    return Item(entry: entry, role: role, plan: plan, rows: rows, error: error, factors: factors)
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
    }
  }

  /// A tensor in its new form, or the scales of one.
  func tensor(_ name: String) throws(ApusError) -> Tensor {
    guard let place = places[name] else { return try scales(name) }
    let item = items[place]
    let stored = try weights.tensor(name)
    defer { stored.discardMappedPages() }
    switch item.plan.form {
    case .kept: return stored
    case .float(let type):
      return try NarrowedFloats.tensor(stored, as: type, named: name, factors: item.factors)
    case .rows: return try item.rows?.quantize(stored, named: name) ?? stored
    }
  }

  private func scales(_ name: String) throws(ApusError) -> Tensor {
    guard name.hasSuffix("_scale"), let place = places[String(name.dropLast("_scale".count))],
      let rows = items[place].rows
    else { throw ApusError(.argument, "no tensor '\(name.clipped)'") }
    return try Tensor(rows.scales, shape: Self.scaleShape(rows))
  }

  /// [rows, 1], as compressed-tensors has it.
  private static func scaleShape(_ rows: QuantizedRows?) throws(ApusError) -> Shape {
    try Shape([rows?.scales.count ?? 0, 1])
  }
}
