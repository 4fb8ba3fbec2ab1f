import TensorCore

extension Geometry {
  /// The shorter side of pictures from which on each is larger in both directions than what it is resized to; nil where
  /// pictures keep their size.
  /// - Parameter canvas: the input's sides.
  /// - Throws: ``ApusError`` of kind `configuration` when the geometry has no sane length.
  func longestResized(on canvas: PixelSize) throws(ApusError) -> Int? {
    switch self {
    case .stretch, .letterbox: max(canvas.width, canvas.height)
    case .centerCrop(let shorterSide, _): try shorterSide.length(on: canvas)
    case .stretchAndCrop(let width, let height, _): max(width, height)
    case .unchanged, .crop: nil
    }
  }
}

extension Preprocessor {
  /// The shorter side that a picture has to keep so that a pixel of what it is resized to is made of at least `pixels` in
  /// both directions; nil where pictures are not resized.
  package func shortSide(pixels: Int) throws(ApusError) -> Int? {
    try profile.geometry.longestResized(on: size).map { min($0, PixelSize.maximumSide) * pixels }
  }
}
