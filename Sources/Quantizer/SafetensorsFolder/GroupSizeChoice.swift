import Formats
import Models
import TensorCore

/// The number of columns that have a scale in common in int4, one for the whole folder: transformers reads all matrices by the
/// first group of a configuration.
enum GroupSizeChoice {
  /// The weights of an int32, of which a group has a whole number.
  private static let least = 8

  /// The multiple of 8, 32 at most, with which a model takes the fewest bytes: matrices whose columns it does not divide stay in
  /// float16. Nil where none divides any.
  static func fewestBytes(
    _ weights: SafetensorsCollection, _ roles: WeightRoles?, kept: LayerPatterns
  ) -> Int? {
    let matrices = matrices(weights, roles, kept: kept).filter { $0.columns % least == 0 }
    guard !matrices.isEmpty else { return nil }
    func byteCount(_ size: Int) -> Int {
      matrices.reduce(0) { $0 + ($1.columns % size == 0 ? $1.count / 2 + 2 * $1.count / size : 2 * $1.count) }
    }
    let most = FolderQuantizer.Options.usualGroupSize
    return stride(from: most, through: least, by: -least).min { byteCount($0) < byteCount($1) }
  }

  /// The matrices to pack if groups divide their columns, and their sizes.
  private static func matrices(
    _ weights: SafetensorsCollection, _ roles: WeightRoles?, kept: LayerPatterns
  ) -> [(columns: Int, count: Int)] {
    weights.names.compactMap { name in
      guard let entry = weights[name] else { return nil }
      let plan = TensorPlan(entry, roles?[name] ?? .other, .int4, groupSize: 1, isKept: kept.contains(name))
      guard case .groups = plan.form else { return nil }
      return (entry.shape[1], entry.shape[0] * entry.shape[1])
    }
  }

  /// That no matrix has columns which are groups of this size.
  static func refusal(
    of size: Int, _ weights: SafetensorsCollection, _ roles: WeightRoles?, kept: LayerPatterns
  ) -> ApusError {
    let columns = Set(matrices(weights, roles, kept: kept).map(\.columns)).sorted()
    guard !columns.isEmpty else {
      return ApusError(
        .argument, "no matrix becomes int4",
        expected: "matrices of linear layers or tables of embeddings, not all of them kept",
        advice: "Use int8 for convolutions, or keep fewer layers.")
    }
    let fitting = fewestBytes(weights, roles, kept: kept)
    let list = columns.prefix(8).map { "\($0)" }.joined(separator: ", ") + (columns.count > 8 ? ", …" : "")
    return ApusError(
      .argument,
      "no matrix becomes int4: their columns, \(list), are no groups of \(fitting == nil ? least : size)",
      expected: fitting == nil ? "columns that a multiple of \(least) divides" : "groups that divide columns",
      advice: fitting.map { "Use groups of \($0), with \(Setting.groupSize.given("\($0)"))." }
        ?? "Use int8.")
  }
}
