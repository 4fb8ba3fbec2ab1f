/// Something drawn from plain numbers, for any width.
package protocol Chart: Sendable {
  /// The title, in a few words.
  var title: String { get }
  /// A sentence that describes the chart, for readers who cannot see it.
  var summary: String { get }
  /// The drawing, `width` pixels wide and as high as it needs to be.
  func drawing(width: Double) -> Markup
}

/// One of the things compared in a chart; each has a colour and a shape of its own.
package struct Series: Sendable, Hashable {
  package let name: String
  /// The index of colour and shape; after the fourth they repeat.
  package let index: Int

  package init(_ name: String, _ index: Int) {
    self.name = name
    self.index = index
  }

  /// The class of marks in its colour.
  var style: String { "s\(((index % 4) + 4) % 4)" }
}
