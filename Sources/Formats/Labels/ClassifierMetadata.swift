import JSONCoding
import TensorCore

/// What a `meta.json` beside a model says of its use. Every key is optional:
///
///     {"threshold_default": 0.75, "input_size": [224, 224], "preprocessing": "mobilenet_v2",
///      "temperature": 1.4, "rejection": {"file": "rejection.apus", "threshold": 3.5}}
///
/// Other keys are passed over, but not those that are nearly one of these (``MisspelledKey``).
package struct ClassifierMetadata: Sendable, Equatable {
  /// The score below which a prediction is uncertain, from 0 to 1.
  package var threshold: Float?
  /// Height and width of the picture that the model was trained with; one number stands for both.
  package var inputSize: [Int]?
  /// The channels that stand before or behind them, where the file has the whole shape.
  package var inputChannels: Int?
  /// The name of the preprocessing profile.
  package var preprocessing: String?
  /// What logits are divided by before they become probabilities, above 0.
  package var temperature: Float?
  /// What tells foreign pictures.
  package var rejection: RejectionReference?

  /// What a `meta.json` says of a rejection.
  package struct RejectionReference: Sendable, Equatable {
    /// The name of a file beside the `meta.json`.
    package let file: String
    /// The novelty above which a picture is foreign.
    package let threshold: Float
    package let features: Features

    /// What a rejection goes by.
    package enum Features: String, Sendable {
      /// What the last layer of weights multiplies.
      case last
      /// What the last layer of each resolution multiplies, the means over places one behind another.
      case scales
    }

    package init(file: String, threshold: Float, features: Features = .last) {
      self.file = file
      self.threshold = threshold
      self.features = features
    }
  }

  /// Files over this size, in bytes, are refused.
  package static let maximumByteCount = 1 << 20

  package init(threshold: Float? = nil, inputSize: [Int]? = nil, preprocessing: String? = nil) {
    self.threshold = threshold
    self.inputSize = inputSize
    self.preprocessing = preprocessing
  }

  package init(contentsOf path: String) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: Self.maximumByteCount)
    do {
      try self.init(bytes)
    } catch {
      throw error.inFile(path)
    }
  }

  /// - Throws: ``ApusError`` of kind `configuration` that names the key when its value makes no sense.
  package init(_ bytes: [UInt8]) throws(ApusError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw ApusError(
        .configuration, "\(bytes.count) bytes of metadata", expected: "at most \(Self.maximumByteCount)")
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let value = try JSONValue.parse(body)
    guard case .object(let members) = value else {
      throw ApusError(.configuration, "metadata as \(value.kind)", expected: "a JSON object")
    }
    try MisspelledKey.check(members.map(\.key.text))
    threshold = try Self.read(value, "threshold_default", expected: "a number from 0 to 1") { value in
      value.double.flatMap { 0...1 ~= $0 ? Float($0) : nil }
    }
    let size = try Self.read(
      value, "input_size",
      expected: "a size in pixels, [height, width], or these with 3 channels before or behind",
      InputSize.init)
    inputSize = size?.extents
    inputChannels = size?.channels
    preprocessing = try Self.read(value, "preprocessing", expected: "the name of a profile", \.string)
    temperature = try Self.read(value, "temperature", expected: "a number from 0.01 to 100") { value in
      value.double.flatMap { 0.01...100 ~= $0 ? Float($0) : nil }
    }
    rejection = try Self.read(
      value, "rejection",
      expected:
        "an object of file, the name of one beside this, threshold, a number, and perhaps features, last or scales",
      Self.rejection)
  }

  private static func read<Result>(
    _ object: JSONValue, _ key: String, expected: String, _ convert: (JSONValue) -> Result?
  ) throws(ApusError) -> Result? {
    guard let value = object[ExactText(key)], value != .null else { return nil }
    guard let result = convert(value) else {
      throw ApusError(.configuration, "it is \(found(value))", expected: expected, at: "\"\(key)\"")
    }
    return result
  }

  private static func rejection(_ value: JSONValue) -> RejectionReference? {
    // A name alone: metadata lead to no other folder.
    guard let file = value["file"]?.string, !file.isEmpty, !file.contains("/"), file != "..",
      let threshold = value["threshold"]?.double.map({ Float($0) }), threshold.isFinite
    else { return nil }
    guard let stated = value["features"] else { return RejectionReference(file: file, threshold: threshold) }
    guard let features = stated.string.flatMap(RejectionReference.Features.init) else { return nil }
    return RejectionReference(file: file, threshold: threshold, features: features)
  }

  /// A value as errors show it: the numbers of a short list, else its kind.
  private static func found(_ value: JSONValue) -> String {
    guard case .array(let values) = value, values.count <= 8 else { return value.kind }
    var numbers: [String] = []
    for case .number(let text) in values { numbers.append(text.clipped) }
    return numbers.count == values.count ? "[\(numbers.joined(separator: ", "))]" : value.kind
  }
}

/// What `input_size` states: one number for height and width, both, or the shape of a picture of 3 channels, of one or
/// without a number of pictures.
private struct InputSize {
  let extents: [Int]
  let channels: Int?

  private static let colours = 3

  init?(_ value: JSONValue) {
    guard case .array(let values) = value else {
      guard let side = value.int, 1...65535 ~= side else { return nil }
      (extents, channels) = ([side, side], nil)
      return
    }
    var numbers = values.compactMap(\.int).filter { 1...65535 ~= $0 }
    guard numbers.count == values.count else { return nil }
    if numbers.count == 4, numbers.first == 1 { numbers.removeFirst() }
    switch (numbers.count, numbers.first == Self.colours, numbers.last == Self.colours) {
    case (2, _, _): (extents, channels) = (numbers, nil)
    case (3, true, false): (extents, channels) = (Array(numbers.dropFirst()), Self.colours)
    case (3, false, true): (extents, channels) = (Array(numbers.dropLast()), Self.colours)
    default: return nil
    }
  }
}
