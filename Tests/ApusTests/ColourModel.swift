import Apus
import Foundation
import TestSupport

/// A classifier that names the strongest colour of a picture: the mean of each channel, with or without
/// softmax behind it.
enum ColourModel {
  static let side = 4

  /// What stands behind the means.
  enum Ending {
    case nothing, softmax, logistic
    /// (x + 3) / 6 between 0 and 1, as converters write it behind a layer of weights: that adds and limits.
    case hardSigmoid
    /// Softmax, of which the first class is dropped.
    case softmaxButFirst
    /// The mean of all channels, one number.
    case oneNumber
  }

  /// The `.tflite` file.
  /// - Parameter softmax: whether the output is made of probabilities.
  static func bytes(softmax: Bool) -> [UInt8] { bytes(softmax ? .softmax : .nothing) }

  /// - Parameters:
  ///   - order: of the axes of the picture.
  ///   - metadata: what the file says of itself.
  static func bytes(
    _ ending: Ending, order: ImageProcessor.Layout = .channelsLast, metadata: FlatBufferNode? = nil
  ) -> [UInt8] {
    typealias Builder = TFLiteModelBuilder
    var model = Builder()
    model.codes = [40, 25, 14, 65, 9, 18].map { Builder.Code($0) }
    let isOne = ending == .oneNumber
    var operators = [
      Builder.Operator(code: 0, inputs: [0, 1], outputs: [2], options: Builder.Options(27))
    ]
    switch ending {
    case .nothing, .oneNumber: break
    case .softmax, .softmaxButFirst:
      operators.append(
        Builder.Operator(code: 1, inputs: [2], outputs: [3], options: Builder.Options(9, [0: .float(1)])))
    case .logistic: operators.append(Builder.Operator(code: 2, inputs: [2], outputs: [3]))
    case .hardSigmoid:
      let limits = Builder.Options(8, [0: .int8(3)])
      operators.append(Builder.Operator(code: 4, inputs: [2, 7, 8], outputs: [9], options: limits))
      operators.append(
        Builder.Operator(code: 5, inputs: [9, 10], outputs: [3], options: Builder.Options(21)))
    }
    if ending == .softmaxButFirst {
      operators.append(Builder.Operator(code: 3, inputs: [3, 4, 5], outputs: [6]))
    }
    let isFirst = order == .channelsFirst
    let axes: [Int32] = isOne ? [1, 2, 3] : isFirst ? [2, 3] : [1, 2]
    let sides = [Int32(side), Int32(side)]
    var tensors: [Builder.Tensor] = [
      Builder.Tensor("picture", Builder.float32, [1] + (isFirst ? [3] + sides : sides + [3])),
      .constant("axes", [Int32(axes.count)], axes),
      Builder.Tensor("means", Builder.float32, isOne ? [1] : [1, 3]),
      Builder.Tensor("scores", Builder.float32, [1, 3]), .constant("begin", [2], [0, 1] as [Int32]),
      .constant("size", [2], [1, 2] as [Int32]), Builder.Tensor("last", Builder.float32, [1, 2]),
    ]
    if ending == .hardSigmoid {
      tensors += [
        .constant("weights", [3, 3], [1, 0, 0, 0, 1, 0, 0, 0, 1] as [Float]),
        .constant("bias", [3], [3, 3, 3] as [Float]), Builder.Tensor("limited", Builder.float32, [1, 3]),
        .constant("sixth", [1], [1 / 6] as [Float]),
      ]
    }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: tensors, inputs: [0], outputs: [operators.last?.outputs[0] ?? 2], operators: operators)
    ]
    if let metadata {
      model.metadata = [("TFLITE_METADATA", FlatBufferBuilder.build(metadata, identifier: "M001"))]
    }
    return model.build()
  }

  /// A picture of one colour.
  static func picture(_ red: UInt8, _ green: UInt8, _ blue: UInt8) throws -> Picture {
    let pixels = (0..<side * side).flatMap { _ in [red, green, blue] }
    return .pixels(try RGBImage(width: side, height: side, pixels: pixels))
  }
}
