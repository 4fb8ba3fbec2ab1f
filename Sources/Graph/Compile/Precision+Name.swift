import TensorCore

extension Precision {
  /// The precision of a name, as ``init(rawValue:)`` reads it.
  /// - Throws: ``ApusError`` of kind `argument`, with the names that there are, for any other.
  public init(named name: String) throws(ApusError) {
    guard let found = Self(rawValue: name) else {
      let names = Self.allCases.map(\.shortName)
      throw ApusError(
        .argument, "there is no precision '\(name.clipped)'",
        expected: "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
    }
    self = found
  }
}
