import Formats
import TensorCore

/// What timm's `config.json` says about a vision transformer.
struct TimmViTConfiguration: Sendable {
  /// The network by its name in timm.
  let name: String
  let options: TimmViTOptions
  /// What says how many layers there are: a key of the file, or the network's name.
  let depthSource: String
  let classCount: Int
  let labels: [String]?
  /// The grid of the pictures that will be given.
  let grid: PatchGrid
  /// The grid that the file's positions are of where they are as many as it has patches: timm takes that of
  /// `model_args.img_size`, and of `pretrained_cfg.input_size` without it.
  let stored: PatchGrid
  /// The grids that those are brought to, one after the other: where pictures may have any extent, first to that of the
  /// pictures that the library makes the network for.
  let steps: [PatchGrid]

  /// Tokens of one picture.
  var length: Int { options.prefix + grid.count }

  /// The pictures that the library makes a network for where nothing is said.
  private static let usualSize = ImageSize(height: 224, width: 224)

  /// - Parameter imageSize: the extent of the pictures that will be given; nil for that of the file.
  /// - Throws: ``ApusError`` when the file asks for what Apus does not do, or the library for pictures of another extent.
  init(
    _ reader: ConfigurationReader, _ design: TimmViTDesign, named name: String, imageSize: ImageSize?
  ) throws(ApusError) {
    self.name = name
    let arguments = try reader.optionalObject("model_args")
    var options = design.options
    if let arguments { options = try options.replaced(by: arguments) }
    self.options = options
    depthSource = arguments?.has("depth") == true ? "model_args.depth" : name
    let classes = try TimmConfiguration(reader, takesMean: false)
    (classCount, labels) = (classes.classCount, classes.labels)
    try Self.requirePooling(reader, options)
    let stated = classes.imageSize
    let made = try Self.size(reader, arguments, stated, takesAny: options.takesAnyExtent)
    let statesExtent = arguments?.has("img_size") ?? false
    stored = try PatchGrid(image: statesExtent ? made : stated, patch: options.patch)
    if options.takesAnyExtent {
      try Self.requireWholePatches(reader, imageSize, stated: stated, patch: options.patch)
    }
    grid = try PatchGrid(image: imageSize ?? stated, patch: options.patch)
    steps = options.takesAnyExtent ? [try PatchGrid(image: made, patch: options.patch), grid] : [grid]
  }

  /// `global_pool` beside `model_args` says what the network does, and changes nothing.
  private static func requirePooling(
    _ reader: ConfigurationReader, _ options: TimmViTOptions
  ) throws(ApusError) {
    let pooling = options.pooling.rawValue
    guard let stated = try reader.optionalString("global_pool"), stated != pooling else { return }
    throw reader.unexpected(
      "global_pool", reader.value("global_pool"),
      "\"\(pooling)\", which the network has by its name and model_args", kind: .unsupportedModel)
  }

  /// Refuses pictures that do not end with a patch, which networks for pictures of any extent do not take.
  private static func requireWholePatches(
    _ reader: ConfigurationReader, _ given: ImageSize?, stated: ImageSize, patch: Int
  ) throws(ApusError) {
    let size = given ?? stated
    guard size.height % patch != 0 || size.width % patch != 0 else { return }
    throw ApusError(
      .configuration, "pictures of \(size) pixels cut into patches of \(patch)",
      expected: "multiples of \(patch) as height and width, where dynamic_img_size is true",
      at: given == nil ? "pretrained_cfg.input_size" : nil, file: reader.file)
  }

  /// The pictures that the library makes the network for: those that it is given, unless they may have any extent.
  private static func size(
    _ reader: ConfigurationReader, _ arguments: ConfigurationReader?, _ stated: ImageSize, takesAny: Bool
  ) throws(ApusError) -> ImageSize {
    let trained = try reader.optionalObject("pretrained_cfg")
    let isFixed = try trained?.bool("fixed_input_size", default: false) ?? false
    if let arguments, arguments.has("img_size") {
      let made = try arguments.imageSize("img_size", default: stated.height)
      guard takesAny || made == stated else {
        throw arguments.unexpected(
          "img_size", arguments.value("img_size"), "\(stated), as pretrained_cfg.input_size says")
      }
      return made
    }
    let takesAnyByArguments = try arguments?.bool("dynamic_img_size", default: false) ?? false
    if isFixed, !takesAnyByArguments { return stated }
    guard takesAny || stated == usualSize else {
      throw reader.unexpected(
        "pretrained_cfg.input_size", trained?.value("input_size"),
        "\(usualSize), or true in fixed_input_size: timm makes another network else")
    }
    return usualSize
  }
}
