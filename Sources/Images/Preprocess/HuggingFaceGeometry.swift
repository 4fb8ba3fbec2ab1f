import Formats
import TensorCore

/// Reads `size`, `do_center_crop` and `crop_size` of a `preprocessor_config.json`.
enum HuggingFaceGeometry {
  /// What a size in the file means.
  enum Size {
    case shorterSide(Int)
    case both(width: Int, height: Int)
  }

  private static let sides = 1...PixelSize.maximumSide

  /// How pictures are brought to the size of the model's input, and that size.
  /// - Throws: ``ApusError`` when the size of the result would depend on the picture.
  static func read(
    _ reader: ConfigurationReader, _ defaults: ImageProcessorDefaults, rounding: Geometry.CropRounding
  ) throws(ApusError) -> (Geometry, PixelSize?) {
    if let part = defaults.keptPart { return try keeping(part, reader, defaults, rounding: rounding) }
    let size = try stated(reader, "size", isSquare: defaults.isSquare) ?? defaults.size
    let resizes = try reader.step("do_resize", default: true)
    let crops = try reader.step("do_center_crop", default: defaults.crop != nil && defaults.cropsUnasked)
    let crop = try stated(reader, "crop_size", isSquare: true)
    guard crops else {
      guard resizes else { return (.unchanged, nil) }
      guard case .both(let width, let height) = size else {
        throw reader.unexpected(
          "size", reader.value("size"), "height and width, as nothing is cut to one size",
          kind: .unsupportedModel)
      }
      return (.stretch, try pixels(reader, "size", width, height))
    }
    guard case .both(let width, let height) = crop ?? defaults.crop.map({ .both(width: $0, height: $0) })
    else {
      throw reader.unexpected("crop_size", reader.value("crop_size"), "a number, or height and width")
    }
    let input = try pixels(reader, "crop_size", width, height)
    guard resizes else { return (.crop(rounding: rounding), input) }
    switch size {
    case .shorterSide(let side):
      return (.centerCrop(shorterSide: .pixels(side), rounding: rounding), input)
    case .both(width, height):
      return (.stretch, input)
    case .both(let width, let height):
      _ = try pixels(reader, "size", width, height)
      return (.stretchAndCrop(width: width, height: height, rounding: rounding), input)
    }
  }

  /// The geometry of a processor whose size is that of the result.
  private static func keeping(
    _ part: Double, _ reader: ConfigurationReader, _ defaults: ImageProcessorDefaults,
    rounding: Geometry.CropRounding
  ) throws(ApusError) -> (Geometry, PixelSize) {
    try reader.require("do_resize", isOneOf: .bool(true))
    guard try reader.step("do_resize", default: true) else {
      throw reader.unexpected("do_resize", .null, "true", kind: .unsupportedModel)
    }
    try reader.require("do_center_crop", isOneOf: .bool(false))
    let part = try reader.number("crop_pct", in: 0.01...1, default: part)
    let size = try stated(reader, "size", isSquare: false) ?? .shorterSide(defaults.side)
    guard case .shorterSide(let side) = size else {
      throw reader.unexpected("size", reader.value("size"), "shortest_edge")
    }
    let input = try pixels(reader, "size", side, side)
    guard side < 384 else { return (.stretch, input) }
    return (.centerCrop(shorterSide: .pixels(Int(Double(side) / part)), rounding: rounding), input)
  }

  private static func pixels(
    _ reader: ConfigurationReader, _ key: String, _ width: Int, _ height: Int
  ) throws(ApusError) -> PixelSize {
    do {
      return try PixelSize(width: width, height: height)
    } catch {
      var error = error
      error.kind = .configuration
      throw error.at(reader.place(key)).inFile(reader.file)
    }
  }

  /// A number, a list of height and width, or an object; nil when the key is missing.
  private static func stated(
    _ reader: ConfigurationReader, _ key: String, isSquare: Bool
  ) throws(ApusError) -> Size? {
    switch reader.value(key) {
    case nil: return nil
    case .number:
      let side = try reader.integer(key, in: sides)
      if key == "size" { try requireMeaning(ofNumbers: isSquare, reader) }
      return isSquare ? .both(width: side, height: side) : .shorterSide(side)
    case .array:
      let numbers = try reader.optionalList(key, of: "height and width") { $0.int } ?? []
      guard numbers.count == 2, numbers.allSatisfy(sides.contains) else {
        throw reader.unexpected(key, reader.value(key), "height and width in \(sides)")
      }
      return .both(width: numbers[1], height: numbers[0])
    default: return try stated(try reader.object(key))
    }
  }

  /// Refuses a file in which a number means another size than to the class. Null is false, where a missing key leaves
  /// the class its way.
  private static func requireMeaning(
    ofNumbers isSquare: Bool, _ reader: ConfigurationReader
  ) throws(ApusError) {
    let key = "default_to_square"
    try reader.require(key, isOneOf: .bool(isSquare))
    guard !isSquare || !reader.isNull(key) else {
      throw reader.unexpected(key, .null, "true", kind: .unsupportedModel)
    }
  }

  private static func stated(_ reader: ConfigurationReader) throws(ApusError) -> Size {
    if let side = try reader.optionalInteger("shortest_edge", in: sides) {
      return .shorterSide(side)
    }
    let height = try reader.integer("height", in: sides)
    let width = try reader.integer("width", in: sides)
    return .both(width: width, height: height)
  }
}

extension ImageProcessorDefaults {
  /// The size where the file states none.
  var size: HuggingFaceGeometry.Size {
    isSquare || crop == nil ? .both(width: side, height: side) : .shorterSide(side)
  }
}
