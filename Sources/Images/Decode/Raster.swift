/// What a decoder of one format gives: the picture as it lies in the file.
struct Raster {
  let image: RGBImage
  let format: ImageFormat
  let colour: String
  /// How the picture is to be turned; upright where the decoder did it.
  let orientation: Orientation
  let notes: [String]
  /// Whether the file has an alpha channel, or a colour that is transparent.
  let hasAlpha: Bool
  /// What is wrong with the data, in a clause.
  let damage: String?
  /// Pixels in a row of the file, and its rows.
  let storedWidth, storedHeight: Int

  /// - Parameter stored: the sides in the file, where the decoder turned or cropped the picture.
  init(
    image: RGBImage, format: ImageFormat, colour: String, orientation: Orientation = .upright,
    notes: [String] = [], hasAlpha: Bool = false, damage: String? = nil,
    stored: (width: Int, height: Int)? = nil
  ) {
    self.image = image
    self.format = format
    self.colour = colour
    self.orientation = orientation
    self.notes = notes
    self.hasAlpha = hasAlpha
    self.damage = damage
    storedWidth = stored?.width ?? image.width
    storedHeight = stored?.height ?? image.height
  }
}
