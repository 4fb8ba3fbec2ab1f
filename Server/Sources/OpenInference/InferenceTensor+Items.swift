import Apus
import ApusServing
import InferenceProtocol

extension InferenceTensor {
  /// The texts of BYTES.
  /// - Throws: ``ServingError`` of kind `invalid` for other types, shapes with several columns, and what is not UTF-8.
  func texts() throws(ServingError) -> [String] {
    try requireList()
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard let text = String(validating: element, as: UTF8.self) else {
        throw ServingError(.invalid, "Element \(index) of '\(name.clipped)' is not text in UTF-8.")
      }
      texts.append(text)
    }
    return texts
  }

  /// The pictures of BYTES, each a file's content, or of UINT8 [n, height, width, 3].
  /// - Throws: ``ServingError`` of kind `invalid` for other types and shapes.
  func pictures() throws(ServingError) -> [Picture] {
    if datatype == .uint8 { return try pixels() }
    try requireList()
    let contentType = try wellFormed { () throws(ApusError) in
      try parameters.text("content_type")
    }
    guard contentType == "base64" else { return elements.map { .encoded(Array($0)) } }
    var pictures: [Picture] = []
    for (index, element) in elements.enumerated() {
      guard let bytes = Base64Text.bytes(element) else {
        throw ServingError(.invalid, "Element \(index) of '\(name.clipped)' is not base64.")
      }
      pictures.append(.encoded(bytes))
    }
    return pictures
  }

  /// - Throws: ``ServingError`` unless it is a list of BYTES; a list in one column, or one row, is one too.
  private func requireList() throws(ServingError) {
    guard datatype == .bytes, shape.extents.count(where: { $0 != 1 }) <= 1 else {
      throw ServingError(
        .invalid, "Input '\(name)' is \(datatype.rawValue) \(shape), expected BYTES [n], or [n, 1].")
    }
  }

  private func pixels() throws(ServingError) -> [Picture] {
    let extents = shape.extents.count == 3 ? [1] + shape.extents : shape.extents
    guard extents.count == 4, extents[3] == RGBImage.channels else {
      throw ServingError(
        .invalid, "Input '\(name)' is UINT8 \(shape), expected [n, height, width, 3] of red, green and blue.")
    }
    let size = extents[1] * extents[2] * extents[3]
    var pictures: [Picture] = []
    for index in 0..<extents[0] {
      do throws(ApusError) {
        let start = bytes.startIndex + index * size
        let pixels = Array(bytes[start..<(start + size)])
        pictures.append(.pixels(try RGBImage(width: extents[2], height: extents[1], pixels: pixels)))
      } catch {
        throw ServingError(error)
      }
    }
    return pictures
  }
}
