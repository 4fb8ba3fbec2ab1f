import Apus
import Foundation
import TestSupport

/// A classifier that names the strongest colour of a picture: the mean of each channel, with or without
/// softmax behind it.
enum ColourModel {
  static let side = 4

  /// The `.tflite` file.
  /// - Parameter softmax: whether the output is made of probabilities.
  static func bytes(softmax: Bool) -> [UInt8] {
    typealias Builder = TFLiteModelBuilder
    var model = Builder()
    model.codes = [Builder.Code(40), Builder.Code(25)]
    var operators = [
      Builder.Operator(code: 0, inputs: [0, 1], outputs: [2], options: Builder.Options(27))
    ]
    if softmax {
      operators.append(
        Builder.Operator(code: 1, inputs: [2], outputs: [3], options: Builder.Options(9, [0: .float(1)])))
    }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("picture", Builder.float32, [1, Int32(side), Int32(side), 3]),
          .constant("axes", [2], [1, 2] as [Int32]), Builder.Tensor("means", Builder.float32, [1, 3]),
          Builder.Tensor("scores", Builder.float32, [1, 3]),
        ],
        inputs: [0], outputs: [softmax ? 3 : 2], operators: operators)
    ]
    return model.build()
  }

  /// A picture of one colour.
  static func picture(_ red: UInt8, _ green: UInt8, _ blue: UInt8) throws -> Picture {
    let pixels = (0..<side * side).flatMap { _ in [red, green, blue] }
    return .pixels(try RGBImage(width: side, height: side, pixels: pixels))
  }
}
