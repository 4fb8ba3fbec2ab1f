import Images
import TestSupport

/// Pictures of one colour each, with some noise, and small TFLite classifiers that name it: softmax of how near the
/// mean of the pixels is to each colour. They can be broken in the usual ways.
struct ColourClassifier {
  /// Names in the order of their bytes, with red, green and blue from −1 to 1.
  static let colours: [(name: String, rgb: [Float])] = [
    ("black", [-1, -1, -1]), ("blue", [-1, -1, 1]), ("cyan", [-1, 1, 1]), ("green", [-1, 1, -1]),
    ("grey", [0, 0, 0]), ("magenta", [1, -1, 1]), ("red", [1, -1, -1]), ("white", [1, 1, 1]),
    ("yellow", [1, 1, -1]),
  ]
  static let side = 4

  /// The numbers that the model takes for byte `x` are `x * scale + offset`.
  var scale: Float = 1 / 127.5
  var offset: Float = -1
  /// The colour, by its place in the list, of each of the model's classes.
  var order = Array(0..<9)
  /// Whether the model takes blue for red.
  var isBGR = false
  /// How often softmax stands at the end.
  var softmaxes = 1
  /// Whether the logistic function stands at the end in place of softmax.
  var isLogistic = false
  /// Added to the score of one class.
  var damage: Float = 0
  /// How steeply scores fall with the distance.
  var steepness: Float = 6

  /// The `.tflite` file: MEAN over the picture, FULLY_CONNECTED, SOFTMAX.
  var bytes: [UInt8] {
    typealias Builder = TFLiteModelBuilder
    let count = Int32(order.count)
    let classes = order.map { prototype(Self.colours[$0].rgb) }
    // Of −|x − p|² what depends on the class: 2 p·x − |p|².
    let weights = classes.flatMap { $0.map { 2 * steepness * $0 } }
    var bias = classes.map { -steepness * $0.reduce(0) { $0 + $1 * $1 } }
    bias[0] += damage
    var model = Builder()
    model.codes = [Builder.Code(40), Builder.Code(9), Builder.Code(25), Builder.Code(14)]
    var tensors = [
      Builder.Tensor("picture", Builder.float32, [1, Int32(Self.side), Int32(Self.side), 3]),
      .constant("axes", [2], [1, 2] as [Int32]), Builder.Tensor("mean", Builder.float32, [1, 3]),
      .constant("weights", [count, 3], weights), .constant("bias", [count], bias),
      Builder.Tensor("logits", Builder.float32, [1, count]),
    ]
    var operators = [
      Builder.Operator(code: 0, inputs: [0, 1], outputs: [2], options: Builder.Options(27)),
      Builder.Operator(code: 1, inputs: [2, 3, 4], outputs: [5], options: Builder.Options(8)),
    ]
    for step in 0..<softmaxes {
      tensors.append(Builder.Tensor("scores \(step)", Builder.float32, [1, count]))
      operators.append(
        Builder.Operator(
          code: isLogistic ? 3 : 2, inputs: [Int32(tensors.count - 2)], outputs: [Int32(tensors.count - 1)],
          options: isLogistic ? nil : Builder.Options(9, [0: .float(1)])))
    }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: tensors, inputs: [0], outputs: [Int32(tensors.count - 1)], operators: operators)
    ]
    return model.build()
  }

  /// A colour in the numbers that the model takes, spread as wide as −1 to 1.
  private func prototype(_ rgb: [Float]) -> [Float] {
    let numbers = rgb.map { ($0 + 1) * 127.5 * scale + offset }
    return isBGR ? numbers.reversed() : numbers
  }

  /// Writes so many pictures of each colour, in a folder for each.
  static func writePictures(_ count: Int, in folder: TemporaryFolder, below name: String = "pictures") throws
    -> String
  {
    var random = SeededRandom()
    for (colour, rgb) in colours {
      for index in 0..<count {
        let pixels = (0..<side * side).flatMap { _ in
          rgb.map { UInt8(min(max(($0 + 1) * 127.5 + Float.random(in: -25...25, using: &random), 0), 255)) }
        }
        let image = try RGBImage(width: side, height: side, pixels: pixels)
        try folder.write(
          "\(name)/\(colour)/\(index).png",
          PNGFile.bytes(width: image.width, height: image.height, pixels: image.pixels))
      }
    }
    return "\(folder.path)/\(name)"
  }
}
