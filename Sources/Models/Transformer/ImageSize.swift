/// The extent of a picture in pixels.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
  package let height: Int
  package let width: Int

  package init(height: Int, width: Int) {
    self.height = height
    self.width = width
  }

  package var description: String { "\(height)×\(width)" }
}
