import Networks

/// What unloading gave back to the system.
public struct MemoryReturn: Sendable, Hashable, Codable {
  /// The names of the models that are gone.
  public let models: [String]
  /// Those that somebody still has: the store has let go of them, and their memory comes back when the last user does.
  public let inUse: [String]
  /// What the store counted for those that are gone, in bytes.
  public let counted: Int
  /// What the process had in memory before and after, in bytes (`VmRSS`).
  public let before: Int, after: Int

  /// What came back, in bytes.
  public var returned: Int { max(0, before - after) }
}

extension MemoryReturn: CustomStringConvertible {
  /// `leaf, faces: unloaded, 123.4 MB returned (430.0 MB before, 306.6 MB after)`.
  public var description: String {
    let gone =
      models.isEmpty
      ? []
      : [
        "\(models.joined(separator: ", ")): unloaded, \(returned.inMegabytes) returned (\(before.inMegabytes) before, \(after.inMegabytes) after)"
      ]
    let kept = inUse.isEmpty ? [] : ["\(inUse.joined(separator: ", ")): still in use"]
    return (gone + kept).joined(separator: "; ")
  }
}
