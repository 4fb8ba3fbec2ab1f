import Images
import TensorCore
import Testing

/// A JPEG may be decoded at a part of its sides, where that is enough; nothing else changes.
@Suite struct ReducedDecodingTests {
  private func decode(_ name: String, shortSide: Int?) throws -> DecodedImage {
    try ImageDecoder.decode(
      contentsOf: PictureFixtures.path(name), options: ImageOptions(minimumShortSide: shortSide))
  }

  /// Of 37×29 pixels; sides are rounded up.
  @Test(
    arguments: [
      (nil, 37, 29), (30, 37, 29), (29, 37, 29), (16, 37, 29), (15, 19, 15), (9, 19, 15), (8, 10, 8),
      (5, 10, 8),
      (4, 5, 4), (1, 5, 4), (0, 5, 4), (-1, 5, 4), (.max, 37, 29), (.min, 5, 4),
    ] as [(Int?, Int, Int)])
  func theLeastThatKeepsTheSide(_ shortSide: Int?, _ width: Int, _ height: Int) throws {
    for name in ["ycbcr420.jpg", "rgb.jpg", "grey.jpg", "cmyk.jpg", "progressive.jpg"] {
      let decoded = try decode(name, shortSide: shortSide)
      #expect(decoded.image.width == width && decoded.image.height == height, "\(name)")
      #expect(decoded.image.pixels.count == width * height * 3)
      #expect(decoded.source.storedWidth == 37 && decoded.source.storedHeight == 29)
      let reduction = [37: 1, 19: 2, 10: 4, 5: 8][width] ?? 0
      // A note is no sign of alpha.
      #expect(!decoded.source.hasAlpha)
      #expect(decoded.source.notes == (reduction == 1 ? [] : ["decoded at 1/\(reduction) of its sides"]))
    }
  }

  /// Of an eighth more may be asked, which changes nothing about a quarter and a half.
  @Test(
    arguments: [
      (4, 4, 5), (4, 5, 10), (8, 11, 10), (9, 12, 19), (1, .max, 10), (4, nil, 5), (nil, 1, 37),
    ] as [(Int?, Int?, Int)])
  func anEighthMayHaveToKeepMore(_ shortSide: Int?, _ atEighth: Int?, _ width: Int) throws {
    let options = ImageOptions(minimumShortSide: shortSide, minimumShortSideAtEighth: atEighth)
    let decoded = try ImageDecoder.decode(contentsOf: PictureFixtures.path("ycbcr420.jpg"), options: options)
    #expect(decoded.image.width == width)
  }

  /// The reduced picture is the whole one, smaller: the mean of each channel stays.
  @Test(arguments: ["ycbcr420.jpg", "ycbcr444.jpg", "rgb.jpg", "grey.jpg", "progressive.jpg"], [15, 8, 4])
  func itIsTheSamePicture(_ name: String, _ shortSide: Int) throws {
    let small = try decode(name, shortSide: shortSide).image
    let whole = try PillowResize.resize(
      try decode(name, shortSide: nil).image, width: small.width, height: small.height, filter: .box)
    let sum = zip(small.pixels, whole.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    // Hard edges of 6 pixels, and sides that are no multiple of 8.
    #expect(sum / small.pixels.count < 24)
  }

  @Test(arguments: 1...8) func orientation(_ value: Int) throws {
    let decoded = try decode("oriented\(value).jpg", shortSide: 15)
    let sides = value >= 5 ? (15, 19) : (19, 15)
    #expect(decoded.image.width == sides.0 && decoded.image.height == sides.1)
    #expect(decoded.source.storedWidth == 37 && decoded.source.orientation.rawValue == value)
  }

  @Test(arguments: ["rgb8.png", "grey1.png"]) func otherFormatsAreWhole(_ name: String) throws {
    #expect(try decode(name, shortSide: 1).image == decode(name, shortSide: nil).image)
  }

  @Test func damageIsToldAndLimitsHold() throws {
    let bytes = try PictureFixtures.bytes("ycbcr420.jpg")
    let options = ImageOptions(minimumShortSide: 1)
    #expect(throws: ApusError.self) { try ImageDecoder.decode(Array(bytes.dropLast(40)), options: options) }
    let limits = ImageLimits(pixels: 37 * 29 - 1)
    #expect(throws: ApusError.self) { try ImageDecoder.decode(bytes, limits: limits, options: options) }
  }

  /// What the shorter side of a picture must be for four pixels in each direction on one of the resized picture.
  @Test(
    arguments: [
      (.stretch, 1200), (.letterbox(.black), 1200),
      (.centerCrop(shorterSide: .asInput, rounding: .down), 800),
      (.centerCrop(shorterSide: .pixels(256), rounding: .down), 1024),
      (.centerCrop(shorterSide: .ratio(8, over: 7), rounding: .torchvision), 916),
      (.stretchAndCrop(width: 230, height: 340, rounding: .down), 1360),
      (.stretchAndCrop(width: .max, height: 1, rounding: .down), 4 << 16), (.unchanged, nil),
      (.crop(rounding: .down), nil),
    ] as [(Geometry, Int?)])
  func shortSideForAnInput(_ geometry: Geometry, _ expected: Int?) throws {
    let base = PreprocessingProfile.mobileNetV2
    let profile = PreprocessingProfile(
      name: "test", resize: base.resize, geometry: geometry, normalization: base.normalization)
    let input = TensorType(.float32, try Shape([1, 200, 300, 3]))
    #expect(try Preprocessor(profile, input: input).shortSide(pixels: 4) == expected)
  }
}
