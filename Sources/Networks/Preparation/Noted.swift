/// Content that was read, with notes for people, such as ignored files.
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
