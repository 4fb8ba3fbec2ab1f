import Formats
import TensorCore

/// What timm's `config.json` says about a network whose layers the weights show.
struct TimmConfiguration: Sendable {
  let imageSize: ImageSize
  let classCount: Int
  let labels: [String]?

  /// - Parameter classes: how many there are where the file does not say.
  init(_ reader: ConfigurationReader, classes: Int = 1000) throws(ApusError) {
    try reader.require("global_pool", isOneOf: .string("avg"))
    try reader.require("model_args", isOneOf: .object([]))
    var size: [Int]?
    if let trained = try reader.optionalObject("pretrained_cfg") {
      trained.passOverRest("how pictures are prepared, and where the weights are from")
      size = try trained.optionalList("input_size", of: "integers") { $0.int }
      guard size.map({ $0.count == 3 && $0.allSatisfy((1...(1 << 16)).contains) && $0[0] == 3 }) ?? true
      else {
        throw trained.unexpected("input_size", trained.value("input_size"), "3, height and width")
      }
    }
    imageSize = size.map { ImageSize(height: $0[1], width: $0[2]) } ?? ImageSize(height: 224, width: 224)
    classCount = try reader.size("num_classes", default: classes)
    labels = try reader.optionalList("label_names", of: "names") { $0.string }
    reader.passOver([
      KeysWithoutEffect(
        "where the weights are from", ["architecture", "num_features", "label_descriptions", "tag"])
    ])
    guard labels == nil || labels?.count == classCount else {
      throw reader.unexpected("label_names", reader.value("label_names"), "\(classCount) names")
    }
  }
}
