import TensorCore

/// What a geometry means for one picture: the size to resize it to, the part of that which is seen, and
/// where on the canvas that part goes.
package struct Placement: Equatable {
  package let resized: PixelSize
  package let window: PixelWindow
  /// Where the top left corner of the window lies on the canvas.
  package let x: Int
  package let y: Int
  /// What shows where the window does not reach.
  package let background: ImageOptions.Colour

  /// - Throws: ``ApusError`` when the picture is so long and thin that its longer side would pass the limit, or it
  ///   has not the size that a geometry without a resize demands.
  package init(_ geometry: Geometry, of image: RGBImage, on canvas: PixelSize) throws(ApusError) {
    switch geometry {
    case .stretch:
      self.init(resized: canvas, on: canvas, rounding: .huggingFace, background: .black)
    case .centerCrop(let shorterSide, let rounding):
      let short = try shorterSide.length(on: canvas)
      let isTall = image.height > image.width
      let long = Self.scaled(short, by: max(image.width, image.height), over: min(image.width, image.height))
      let size = try PixelSize(width: isTall ? short : long, height: isTall ? long : short)
      self.init(resized: size, on: canvas, rounding: rounding, background: .black)
    case .stretchAndCrop(let width, let height, let rounding):
      let size = try PixelSize(width: width, height: height)
      self.init(resized: size, on: canvas, rounding: rounding, background: .black)
    case .unchanged:
      guard image.width == canvas.width, image.height == canvas.height else {
        throw ApusError(
          .image, "a picture of \(image.width)×\(image.height) pixels",
          expected: "\(canvas), as the model's processor does not resize",
          advice: "Resize the picture, or name a profile that does.")
      }
      self.init(resized: canvas, on: canvas, rounding: .huggingFace, background: .black)
    case .crop(let rounding):
      let size = try PixelSize(width: image.width, height: image.height)
      self.init(resized: size, on: canvas, rounding: rounding, background: .black)
    case .letterbox(let colour):
      let fitsWidth = canvas.width * image.height <= canvas.height * image.width
      let width = fitsWidth ? canvas.width : Self.rounded(image.width * canvas.height, over: image.height)
      let height = fitsWidth ? Self.rounded(image.height * canvas.width, over: image.width) : canvas.height
      let size = try PixelSize(width: max(width, 1), height: max(height, 1))
      self.init(resized: size, on: canvas, rounding: .torchvision, background: colour)
    }
  }

  private init(
    resized: PixelSize, on canvas: PixelSize, rounding: Geometry.CropRounding,
    background: ImageOptions.Colour
  ) {
    let across = Self.place(resized.width, on: canvas.width, rounding)
    let down = Self.place(resized.height, on: canvas.height, rounding)
    self.resized = resized
    self.window = PixelWindow(columns: across.seen, rows: down.seen)
    self.x = across.start
    self.y = down.start
    self.background = background
  }

  /// Along one axis: the part of `length` pixels that is seen in the middle of `canvas` pixels, and where it
  /// begins there.
  private static func place(
    _ length: Int, on canvas: Int, _ rounding: Geometry.CropRounding
  ) -> (seen: Range<Int>, start: Int) {
    guard length > canvas else {
      return (0..<length, (canvas - length + (rounding == .huggingFace ? 1 : 0)) / 2)
    }
    let border = length - canvas
    let half = border / 2
    let isTie = border % 2 == 1
    let start = rounding == .torchvision && isTie && half % 2 == 1 ? half + 1 : half
    return (start..<(start + canvas), 0)
  }

  /// `length × numerator / denominator`, rounded down.
  private static func scaled(_ length: Int, by numerator: Int, over denominator: Int) -> Int {
    length * numerator / denominator
  }

  private static func rounded(_ numerator: Int, over denominator: Int) -> Int {
    (2 * numerator + denominator) / (2 * denominator)
  }
}

extension Geometry.ShorterSide {
  /// - Throws: ``ApusError`` of kind `configuration` when it is not a length.
  func length(on canvas: PixelSize) throws(ApusError) -> Int {
    let side = min(canvas.width, canvas.height)
    let sane = 1...PixelSize.maximumSide
    switch self {
    case .asInput:
      return side
    case .ratio(let top, let bottom):
      guard sane.contains(top), sane.contains(bottom) else { break }
      return max((2 * side * top + bottom) / (2 * bottom), 1)
    case .pixels(let count):
      guard sane.contains(count) else { break }
      return count
    }
    throw ApusError(
      .configuration, "a shorter side of \(self)", expected: "positive lengths of at most 65536")
  }
}
