/// The releases of Pillow whose resize differs for RGB: by at most a few steps of 255, in tall pictures.
public enum PillowVersion: String, Sendable, Hashable, CaseIterable {
  /// Pillow 13: the height is reduced before the width when that saves work.
  case current = "13"
  /// Pillow 3.3 to 12: always the width first.
  case upTo12 = "12"

  /// Whether the height is resized before the width: in Pillow 13 when it shrinks, and by more than twice
  /// the pixels that the width loses. The size of the whole picture counts, also when a box is given.
  package func resizesHeightFirst(_ image: RGBImage, to size: PixelSize) -> Bool {
    self == .current && image.height > size.height
      && image.height - size.height > 2 * (image.width - size.width)
  }
}
