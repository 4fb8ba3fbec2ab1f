import TensorCore

/// What the metadata of a model says of one input or output.
package struct TFLiteTensorMetadata: Sendable, Equatable {
  /// What the elements are.
  package enum Content: Sendable, Equatable {
    case unspecified
    case feature
    /// A picture; the size is given when the shape leaves it open.
    case image(ColorSpace, defaultSize: ImageSize?)
    case boundingBoxes
  }

  package enum ColorSpace: Int8, Sendable {
    case unknown = 0
    case rgb = 1
    case grayscale = 2
  }

  package struct ImageSize: Sendable, Equatable {
    package let width: Int
    package let height: Int
  }

  /// `(x − mean) / standardDeviation`, with x from 0 to 255 for pictures; one value, or one for each channel.
  package struct Normalization: Sendable, Equatable {
    package let mean: [Float]
    package let standardDeviation: [Float]
  }

  /// How a text becomes ids: words between delimiters, looked up in a vocabulary of the archive.
  package struct RegexTokenizer: Sendable, Equatable {
    /// An expression of RE2.
    package let delimiters: String
    package let vocabulary: TFLiteAssociatedFile
  }

  package let name: String
  package let description: String
  package let dimensionNames: [String]
  package let content: Content
  package let normalization: Normalization?
  package let tokenizer: RegexTokenizer?
  /// The score below which a result is not worth showing.
  package let scoreThreshold: Float?
  /// How scores are calibrated, with a table among the files; nil when they are not.
  package let scoreCalibration: ScoreCalibration.Options?
  /// The range of the values, for each channel or for all; often empty.
  package let minimum: [Float]
  package let maximum: [Float]
  package let associatedFiles: [TFLiteAssociatedFile]

  init(_ table: FlatBufferTable) throws(ApusError) {
    name = try table.string(0, "name") ?? ""
    description = try table.string(1, "description") ?? ""
    dimensionNames = try table.strings(2, "dimension_names")
    content = try Content(try table.table(3, "content", as: "Content"))
    let stats = try table.table(5, "stats", as: "Stats")
    maximum = try stats?.floats(0, "max") ?? []
    minimum = try stats?.floats(1, "min") ?? []
    associatedFiles = try TFLiteAssociatedFile.list(table, 6)

    var normalization: Normalization?
    var tokenizer: RegexTokenizer?
    var scoreThreshold: Float?
    var scoreCalibration: ScoreCalibration.Options?
    let units = try table.tables(4, "process_units", as: "ProcessUnit")
    for index in 0..<units.count {
      let unit = try units.table(index)
      switch try unit.integer(0, "options_type", default: 0 as UInt8) {
      case 1: normalization = try unit.options("NormalizationOptions").map(Normalization.init)
      case 2: scoreCalibration = try ScoreCalibration.Options(try unit.options("ScoreCalibrationOptions"))
      case 3: scoreThreshold = try unit.options("ScoreThresholdingOptions").map(Self.threshold)
      case 6: tokenizer = try unit.options("RegexTokenizerOptions").flatMap(RegexTokenizer.init)
      default: break
      }
    }
    self.tokenizer = tokenizer
    self.normalization = normalization
    self.scoreThreshold = scoreThreshold
    self.scoreCalibration = scoreCalibration
  }

  private static func threshold(_ table: FlatBufferTable) throws(ApusError) -> Float {
    let threshold = try table.float(0, "global_score_threshold")
    guard threshold.isFinite else {
      throw table.error(
        0, "global_score_threshold", "the threshold \(threshold)", expected: "a finite number")
    }
    return threshold
  }
}

extension TFLiteTensorMetadata.RegexTokenizer {
  /// Nil without a vocabulary.
  fileprivate init?(_ table: FlatBufferTable) throws(ApusError) {
    guard let vocabulary = try TFLiteAssociatedFile.list(table, 1).first else { return nil }
    delimiters = try table.string(0, "delim_regex_pattern") ?? ""
    self.vocabulary = vocabulary
  }
}

extension TFLiteTensorMetadata.Normalization {
  fileprivate init(_ table: FlatBufferTable) throws(ApusError) {
    let mean = try table.floats(0, "mean")
    let deviation = try table.floats(1, "std")
    guard !mean.isEmpty, mean.count == deviation.count || mean.count == 1 || deviation.count == 1,
      mean.allSatisfy(\.isFinite)
    else {
      throw table.error(
        0, "mean", "means \(mean.prefix(8)) and standard deviations \(deviation.prefix(8))",
        expected: "finite means, and as many of one as of the other")
    }
    guard !deviation.isEmpty, deviation.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw table.error(
        1, "std", "standard deviations \(deviation.prefix(8))", expected: "positive finite numbers")
    }
    self.mean = mean
    standardDeviation = deviation
  }
}

extension TFLiteTensorMetadata.Content {
  fileprivate init(_ table: FlatBufferTable?) throws(ApusError) {
    switch try table?.integer(0, "content_properties_type", default: 0 as UInt8) {
    case 1: self = .feature
    case 2:
      let image = try table?.table(1, "content_properties", as: "ImageProperties")
      let space = try image?.integer(0, "color_space", default: 0 as Int8) ?? 0
      let size = try image?.table(1, "default_size", as: "ImageSize")
      self = .image(
        TFLiteTensorMetadata.ColorSpace(rawValue: space) ?? .unknown,
        defaultSize: try size.map(TFLiteTensorMetadata.ImageSize.init))
    case 3: self = .boundingBoxes
    default: self = .unspecified
    }
  }
}

extension TFLiteTensorMetadata.ImageSize {
  fileprivate init(_ table: FlatBufferTable) throws(ApusError) {
    self.init(width: try table.index(0, "width"), height: try table.index(1, "height"))
  }
}

extension FlatBufferTable {
  /// The value of the union that a process unit is.
  fileprivate func options(_ type: String) throws(ApusError) -> FlatBufferTable? {
    try table(1, "options", as: type)
  }
}
