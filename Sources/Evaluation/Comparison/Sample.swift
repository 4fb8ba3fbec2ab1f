import Images
import TensorCore

/// A sample that was read.
enum Sample: Sendable {
  case picture(RGBImage)
  case text(String)

  /// - Parameter transparency: what transparent pixels of a picture become.
  /// - Throws: ``ApusError`` of kind `file` or `image`.
  init(
    _ content: SampleReport.Content, transparency: ImageOptions.Transparency
  ) throws(ApusError) {
    switch content {
    case .picture(let path):
      let options = ImageOptions(transparency: transparency)
      self = .picture(try ImageDecoder.decode(contentsOf: path, options: options).image)
    case .text(let text): self = .text(text)
    }
  }

  /// The error of a model for other samples.
  static func refusal(_ expected: String) -> ApusError {
    ApusError(.argument, "a sample of another kind", expected: expected)
  }
}
