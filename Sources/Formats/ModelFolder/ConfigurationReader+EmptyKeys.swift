import TensorCore

extension ConfigurationReader {
  /// Passes over the keys, here and in all objects that were read within, that nothing has asked for and that say nothing,
  /// for a library that passes over what its classes do not read.
  /// - Returns: a note for people that names them; none where there are no such keys.
  package func notesOnEmptyKeys() -> [String] {
    let keys = emptyPlaces()
    guard !keys.isEmpty else { return [] }
    let list = keys.prefix(10).map { "'\($0.clipped)'" }.joined(separator: ", ")
    return ["\(file): passed over \(list), which Apus does not know and which says nothing"]
  }

  private func emptyPlaces() -> [String] {
    passOverEmptyKeys().map(place) + use.parts.flatMap { $0.emptyPlaces() }
  }
}
