import Formats
import Models
import TensorCore

/// In which form a tensor of a model folder is to be stored, and why.
struct TensorPlan: Sendable {
  enum Form: Sendable {
    /// As it is.
    case kept
    case float(DataType)
    /// int8 with a scale for each row.
    case rows
    /// int4 with a scale for so many columns of a row.
    case groups(Int)
  }

  let form: Form
  let reason: String

  private init(_ form: Form, _ reason: String) {
    self.form = form
    self.reason = reason
  }

  /// - Parameters:
  ///   - groupSize: columns that have a scale in common in int4.
  ///   - isKept: whether the caller wants it not to become integers.
  init(
    _ entry: SafetensorsEntry, _ role: WeightRole, _ target: QuantizationTarget, groupSize: Int, isKept: Bool
  ) {
    guard entry.type.dataType?.isFloat == true else {
      self.init(.kept, "not of a float type")
      return
    }
    switch target {
    case .f16: self = Self.float(entry, .float16)
    case .bf16: self = Self.float(entry, .bfloat16)
    case .int8: self = Self.integer(entry, role, isKept: isKept)
    case .int4: self = Self.packed(entry, Self.integer(entry, role, isKept: isKept), groupSize)
    }
  }

  private static func float(_ entry: SafetensorsEntry, _ type: DataType) -> TensorPlan {
    entry.type.dataType == type
      ? TensorPlan(.kept, "is \(type.rawValue) already") : TensorPlan(.float(type), "asked for")
  }

  private static func integer(_ entry: SafetensorsEntry, _ role: WeightRole, isKept: Bool) -> TensorPlan {
    switch role {
    case .linear, .convolution, .table:
      guard !isKept else { return half(entry, QuantizationReport.keptReason) }
      return TensorPlan(.rows, kind(role))
    case .depthwise: return half(entry, "a scale for so few weights would save nothing")
    case .patches: return half(entry, "all else builds on it, and it is not multiplied in int8")
    case .other:
      return entry.shape.count > 1
        ? half(entry, "no matrix of a linear layer") : TensorPlan(.kept, "small, and left exact")
    }
  }

  /// The plan in int4 of a tensor that would be int8.
  private static func packed(_ entry: SafetensorsEntry, _ plan: TensorPlan, _ size: Int) -> TensorPlan {
    guard case .rows = plan.form else { return plan }
    guard entry.shape.count == 2, CompressedConfiguration.module(entry.name) != nil else {
      return half(entry, "compressed-tensors packs matrices of modules alone")
    }
    guard entry.shape[1] % size == 0, !entry.shape.contains(0) else {
      return half(entry, "\(entry.shape[1]) columns are no groups of \(size)")
    }
    return TensorPlan(.groups(size), plan.reason)
  }

  private static func kind(_ role: WeightRole) -> String {
    switch role {
    case .linear: "matrix of a linear layer"
    case .table: "table of embeddings"
    default: "filters of a convolution"
    }
  }

  /// The plan for a tensor that is multiplied by factors: what would stay as it is becomes float32.
  var scaled: TensorPlan {
    if case .rows = form { return TensorPlan(.rows, reason + ", channels scaled") }
    return TensorPlan(.float(.float32), "channels scaled")
  }

  /// float16 for what has more bits.
  private static func half(_ entry: SafetensorsEntry, _ reason: String) -> TensorPlan {
    entry.type == .float32 || entry.type == .float64
      ? TensorPlan(.float(.float16), reason) : TensorPlan(.kept, reason)
  }
}
