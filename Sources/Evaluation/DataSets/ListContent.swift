import Images
import TensorCore

/// Refuses what is given in the place of a list and is none, by the bytes of the file.
enum ListContent {
  /// - Parameters:
  ///   - path: of the file.
  ///   - expected: what was asked for.
  /// - Throws: ``ApusError``: kind `file` for a picture, `configuration` for text that is not UTF-8.
  static func check(_ bytes: [UInt8], of path: String, expected: String) throws(ApusError) {
    // Headers of pictures have bytes of 0, and text has none.
    if bytes.contains(0), PictureFiles.isPicture(path) || (try? PictureMetadata(of: bytes)) != nil {
      throw ApusError(.file, "is one picture", expected: expected, file: path)
    }
    try checkText(bytes)
  }

  /// - Throws: ``ApusError`` of kind `configuration` for UTF-16 and for what is no text.
  static func checkText(_ bytes: [UInt8]) throws(ApusError) {
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard isMarked || bytes.contains(0) else { return }
    throw ApusError(
      .configuration, isMarked ? "is in UTF-16" : "has bytes of 0, as UTF-16 has",
      expected: "UTF-8", advice: "Save the file as UTF-8.")
  }
}
