import FoundationEssentials

/// A picture that stands in the page itself.
package struct PageImage: Sendable, Equatable {
  package enum Format: String, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
  }

  package let format: Format
  package let bytes: [UInt8]
  /// Pixels.
  package let width: Int
  package let height: Int

  package init(_ format: Format, bytes: [UInt8], width: Int, height: Int) {
    self.format = format
    self.bytes = bytes
    self.width = width
    self.height = height
  }

  /// The element, with what the picture shows in words.
  package func markup(alternative: String) -> Markup {
    .tag(
      "img",
      [
        "src": "data:\(format.rawValue);base64,\(Data(bytes).base64EncodedString())", "width": "\(width)",
        "height": "\(height)", "alt": alternative,
      ])
  }
}
