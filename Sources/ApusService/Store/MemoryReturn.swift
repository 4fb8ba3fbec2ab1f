import Networks

/// The memory that unloading returned to the system.
public struct MemoryReturn: Sendable, Hashable, Codable {
  /// The names of the models that are gone.
  public let models: [String]
  /// Models still in use elsewhere: the store released them, and their memory returns with their last user.
  public let inUse: [String]
  /// The store's own count for the models that are gone, in bytes.
  public let counted: Int
  /// The memory of the process before and after, in bytes (`VmRSS`).
  public let before: Int, after: Int

  /// The returned memory, in bytes.
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
