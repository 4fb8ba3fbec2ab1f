import Formats
import TensorCore

/// What timm's `config.json` says about a network whose layers the weights show.
struct TimmConfiguration: Sendable {
  let imageSize: ImageSize
  let classCount: Int
  let labels: [String]?

  /// - Parameters:
  ///   - classes: how many there are where the file does not say.
  ///   - takesMean: whether the network classifies the mean of all places, and the file must not say otherwise; else what
  ///     it says of that is read elsewhere.
  init(_ reader: ConfigurationReader, classes: Int = 1000, takesMean: Bool = true) throws(ApusError) {
    let trained = try reader.optionalObject("pretrained_cfg")
    let arguments = try reader.optionalObject("model_args")
    try Self.read(arguments)
    // timm leaves out the first so many classes of the weights.
    try trained?.require("label_offset", isOneOf: .number("0"))
    imageSize = try Self.imageSize(trained) ?? ImageSize(height: 224, width: 224)
    // What the file says of classes itself, timm puts in the place of what the weights were trained with.
    let named = try trained?.optionalInteger("num_classes", in: 1...ConfigurationReader.sizeLimit)
    let asked = try arguments?.optionalInteger("num_classes", in: 1...ConfigurationReader.sizeLimit)
    let count = try reader.size("num_classes", default: named ?? asked ?? classes)
    guard asked == nil || asked == count else {
      throw reader.unexpected(
        "model_args.num_classes", arguments?.value("num_classes"),
        "\(count), as num_classes says: timm leaves another head without its weights")
    }
    classCount = count
    let (own, others) = (try Self.labels(reader, count: count), try Self.labels(trained, count: count))
    labels = own ?? others
    if takesMean {
      for said in [reader, arguments].compactMap(\.self) {
        try said.require("global_pool", isOneOf: .string("avg"))
      }
    }
    trained?.passOverRest("how pictures are prepared, and where the weights are from")
    reader.passOver([
      KeysWithoutEffect(
        "where the weights are from", ["architecture", "num_features", "label_descriptions", "tag"])
    ])
  }

  /// What the network was made with, which timm writes beside what it is.
  private static func read(_ arguments: ConfigurationReader?) throws(ApusError) {
    guard let arguments else { return }
    try arguments.require("in_chans", isOneOf: .number("3"))
    arguments.passOver([
      KeysWithoutEffect("training", ["drop_rate", "drop_path_rate", "drop_block_rate"])
    ])
  }

  /// Pixels along a side of a picture.
  private static let maximumSide = 1 << 16

  private static func imageSize(_ trained: ConfigurationReader?) throws(ApusError) -> ImageSize? {
    guard let trained, let size = try trained.optionalList("input_size", of: "integers", { $0.int }) else {
      return nil
    }
    guard size.count == 3, size.allSatisfy({ $0 > 0 }) else {
      throw trained.unexpected("input_size", trained.value("input_size"), "3, height and width")
    }
    guard size[0] == 3 else {
      throw ApusError(
        .unsupportedModel, "pictures of \(size[0]) channels", expected: "3", at: trained.place("input_size"),
        file: trained.file)
    }
    guard size[1] <= maximumSide, size[2] <= maximumSide else {
      throw ApusError(
        .configuration, "pictures of \(size[1])×\(size[2]) pixels",
        expected: "at most \(maximumSide) along a side",
        at: trained.place("input_size"), file: trained.file)
    }
    return ImageSize(height: size[1], width: size[2])
  }

  /// The names of all classes: a list, or an object with those of some by their numbers.
  private static func labels(
    _ reader: ConfigurationReader?, count: Int
  ) throws(ApusError) -> [String]? {
    let key = "label_names"
    guard let reader, let value = reader.value(key) else { return nil }
    guard case .object = value, let names = try reader.optionalObject(key) else {
      let labels = try reader.optionalList(key, of: "names") { $0.string }
      guard labels?.count == count else { throw reader.unexpected(key, value, "\(count) names") }
      return labels
    }
    var labels = (0..<count).map { "\($0)" }
    for name in names.keys {
      guard let index = Int(name), labels.indices.contains(index), "\(index)" == name else {
        throw reader.unexpected(key, value, "names by the numbers 0 to \(count - 1)")
      }
      labels[index] = try names.string(name)
    }
    return labels
  }
}
