extension QuantizationReport {
  /// Weights that stayed in floats for one reason, where integers were asked for.
  public struct Floats: Sendable, Hashable {
    /// Why they did.
    public let reason: String
    /// The tensors.
    public let names: [String]
    /// The bytes that they take.
    public let bytes: Int
    /// The bytes that they would take in integers.
    public let integerBytes: Int

    /// The bytes that floats cost; 0 where integers would take no fewer.
    public var moreBytes: Int { max(0, bytes - integerBytes) }
  }

  /// What stayed in floats, by the reason, the most expensive first; nothing where no integers were asked for.
  public var floats: [Floats] {
    let floats = rows.filter { $0.integerBytes != nil }
    return Dictionary(grouping: floats, by: \.reason).map { reason, rows in
      Floats(
        reason: reason, names: rows.map(\.name), bytes: rows.reduce(0) { $0 + $1.bytesAfter },
        integerBytes: rows.reduce(0) { $0 + ($1.integerBytes ?? 0) })
    }.sorted { ($1.moreBytes, $0.reason) < ($0.moreBytes, $1.reason) }
  }
}
