/// What was read, and what people should know of how: which files were passed over.
package struct Noted<Content> {
  package var content: Content
  /// Each for people to read.
  package var notes: [String]

  package init(_ content: Content, _ notes: [String] = []) {
    self.content = content
    self.notes = notes
  }
}

extension Noted: Sendable where Content: Sendable {}
