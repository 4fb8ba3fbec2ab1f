/// The vector of one content, as the database has it.
package struct VectorRow: Sendable, Equatable {
  /// The content's number in the database, at least 0.
  package var contentID: Int64
  /// The vector, of about unit length, as it is stored.
  package var numbers: [Float]

  package init(contentID: Int64, numbers: [Float]) {
    self.contentID = contentID
    self.numbers = numbers
  }
}
