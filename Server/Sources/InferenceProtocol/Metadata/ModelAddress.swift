/// What a path below `models` names: a model, whose name may have slashes in it, a version of it, and what is asked.
public struct ModelAddress: Sendable, Hashable {
  /// What is asked of a model.
  public enum Action: String, Sendable, CaseIterable {
    /// What it takes and gives.
    case metadata = ""
    /// Whether it answers.
    case ready
    /// A run.
    case infer
    /// Its configuration.
    case configuration = "config"
    /// How often it ran, and how long.
    case statistics = "stats"
  }

  /// The model's name.
  public let model: String
  /// The version; nil where the server chooses.
  public let version: String?
  /// What is asked.
  public let action: Action

  /// - Parameter segments: what stands between the path's slashes, after `models`, decoded.
  /// - Returns: nil where they name no model.
  public init?(_ segments: some BidirectionalCollection<String>) {
    var segments = Array(segments)
    if segments.count > 1, let action = segments.last.flatMap(Action.init(rawValue:)), action != .metadata {
      self.action = action
      segments.removeLast()
    } else {
      action = .metadata
    }
    if segments.count > 2, segments[segments.count - 2] == "versions" {
      version = segments.last
      segments.removeLast(2)
    } else {
      version = nil
    }
    model = segments.joined(separator: "/")
    if model.isEmpty || segments.contains("") { return nil }
  }
}
