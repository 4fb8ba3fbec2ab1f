import Apus

/// How picture files are decoded for a model of an index: a part of what tells its vectors from others.
struct StoredDecoding: Sendable, Hashable {
  /// How much of a file is decoded.
  let extent: PictureDecoding
  /// How transparent pixels are shown to the model.
  let transparency: ImageOptions.Transparency

  init(_ extent: PictureDecoding, _ transparency: ImageOptions.Transparency) {
    (self.extent, self.transparency) = (extent, transparency)
  }

  /// - Parameter text: as an index has it; one that nobody knows is taken for `exact`.
  init(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    let colour = words.count == 3 && words[1] == "over" ? words[2] : ""
    extent = words.first.flatMap { PictureDecoding(rawValue: $0) } ?? .exact
    transparency = ImageOptions.Transparency(colour) ?? .ignored
  }

  /// `fast` or `exact`, and what transparent pixels are blended over where they are: `fast over white`. Without it, it is
  /// the text of an index that knew of no transparency, whose vectors stay what they are.
  var text: String {
    transparency == .ignored ? extent.rawValue : "\(extent.rawValue) over \(transparency)"
  }
}
