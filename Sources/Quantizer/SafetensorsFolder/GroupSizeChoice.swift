import Formats
import Models

/// The number of columns that have a scale in common in int4, one for the whole folder: transformers reads all matrices by the
/// first group of a configuration.
enum GroupSizeChoice {
  /// The weights of an int32, of which a group has a whole number.
  private static let least = 8

  /// The multiple of 8, 32 at most, with which a model takes the fewest bytes: matrices whose columns it does not divide stay in
  /// float16.
  static func fewestBytes(_ weights: SafetensorsCollection, _ roles: WeightRoles?, kept: LayerPatterns) -> Int
  {
    let matrices = weights.names.compactMap { name -> (columns: Int, count: Int)? in
      guard let entry = weights[name] else { return nil }
      let plan = TensorPlan(
        entry, roles?[name] ?? .other, .int4, groupSize: least, isKept: kept.contains(name))
      guard case .groups = plan.form else { return nil }
      return (entry.shape[1], entry.shape[0] * entry.shape[1])
    }
    func byteCount(_ size: Int) -> Int {
      matrices.reduce(0) { $0 + ($1.columns % size == 0 ? $1.count / 2 + 2 * $1.count / size : 2 * $1.count) }
    }
    let most = FolderQuantizer.Options.usualGroupSize
    return stride(from: most, through: least, by: -least).min { byteCount($0) < byteCount($1) } ?? most
  }
}
