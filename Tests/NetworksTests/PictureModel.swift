import TestSupport

/// A `.tflite` file that takes a picture and gives the mean of each channel.
enum PictureModel {
  static func bytes(side: Int32) -> [UInt8] {
    typealias Builder = TFLiteModelBuilder
    var model = Builder()
    model.codes = [Builder.Code(40)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("picture", Builder.float32, [1, side, side, 3]),
          .constant("axes", [2], [1, 2] as [Int32]), Builder.Tensor("means", Builder.float32, [1, 3]),
        ],
        inputs: [0], outputs: [2],
        operators: [Builder.Operator(code: 0, inputs: [0, 1], outputs: [2], options: Builder.Options(27))])
    ]
    return model.build()
  }
}
