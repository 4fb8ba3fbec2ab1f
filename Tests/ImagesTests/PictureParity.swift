import Images
import TensorCore

/// Compares everything that is done to one picture with what the libraries make of it.
enum PictureParity {
  /// The names of the results that differ; empty when all are equal.
  static func differences(_ path: String, _ expected: PictureFixtures.Expectation) throws(ApusError)
    -> [String]
  {
    let decoded = try ImageDecoder.decode(
      contentsOf: path, options: ImageOptions(appliesOrientation: false))
    let image = decoded.image
    var differences: [String] = []
    func compare(_ name: String, _ wanted: String?, _ got: String) {
      if let wanted, wanted != got { differences.append(name) }
    }
    compare("decoded", expected.decoded, PictureDigest.of(image.pixels))
    let upright = try ImageDecoder.decode(contentsOf: path)
    compare("upright", expected.upright, PictureDigest.of(upright.image.pixels))
    let white = ImageOptions(appliesOrientation: false, transparency: .over(.white))
    if expected.overWhite != nil {
      let blended = try ImageDecoder.decode(contentsOf: path, options: white)
      compare("over white", expected.overWhite, PictureDigest.of(blended.image.pixels))
    }
    try compareProfiles(upright.image, expected, compare)
    try compareResizes(image, expected, compare)
    try compareTensorFlow(image, expected, compare)
    return differences
  }

  private static func compareProfiles(
    _ image: RGBImage, _ expected: PictureFixtures.Expectation, _ compare: (String, String?, String) -> Void
  ) throws(ApusError) {
    guard expected.profiles != nil else { return }
    let letterbox = PreprocessingProfile(
      name: "letterbox", resize: .pillow(.bilinear),
      geometry: .letterbox(ImageOptions.Colour(red: 10, green: 20, blue: 30)), normalization: .minusOneToOne)
    let input = TensorType(.float32, try Shape([1, 224, 224, 3]))
    var digest = PictureDigest()
    for profile in PreprocessingProfile.all + [letterbox] {
      let tensor = try Preprocessor(profile, input: input).tensor(image)
      digest.add(try tensor.elements(of: Float.self))
    }
    compare("profiles", expected.profiles, digest.text)
  }

  private static func compareResizes(
    _ image: RGBImage, _ expected: PictureFixtures.Expectation, _ compare: (String, String?, String) -> Void
  ) throws(ApusError) {
    let filters = PillowFilter.allCases
    var uneven = PictureDigest(), boxed = PictureDigest()
    for (index, filter) in filters.enumerated() {
      let resized = try PillowResize.resize(image, width: 224, height: 224, filter: filter)
      compare(filter.rawValue, expected.resized?[index], PictureDigest.of(resized.pixels))
      uneven.add(try PillowResize.resize(image, width: 97, height: 131, filter: filter).pixels)
      guard expected.boxed != nil else { continue }
      let width = Float(image.width), height = Float(image.height)
      let box = try SourceBox(
        left: width * 0.125, top: height * 0.25, right: width * 0.8125, bottom: height * 0.875, in: image)
      boxed.add(try PillowResize.resize(image, width: 64, height: 48, filter: filter, box: box).pixels)
    }
    compare("uneven", expected.uneven, uneven.text)
    if expected.widthFirst != nil {
      var old = PictureDigest()
      for filter in filters {
        old.add(
          try PillowResize.resize(image, width: 30, height: 8, filter: filter, version: .upTo12).pixels)
      }
      compare("width first", expected.widthFirst, old.text)
    }
    compare("boxed", expected.boxed, boxed.text)
  }

  private static func compareTensorFlow(
    _ image: RGBImage, _ expected: PictureFixtures.Expectation, _ compare: (String, String?, String) -> Void
  ) throws(ApusError) {
    let kinds: [TensorFlowResize.Kind] = [.bilinear, .bilinearAntialias, .bilinearFromCorners]
    for (index, kind) in kinds.enumerated() {
      let resized = try TensorFlowResize.resize(image, width: 200, height: 224, kind: kind)
      compare("TensorFlow \(kind)", expected.tensorflow?[index], PictureDigest.of(resized.pixels))
    }
  }
}
