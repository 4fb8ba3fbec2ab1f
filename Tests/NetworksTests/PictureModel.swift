import Formats
import TestSupport

/// A `.tflite` file that takes a picture and gives the mean of each channel.
enum PictureModel {
  /// - Parameters:
  ///   - isOpen: whether the file leaves height and width open, with `side` in their places.
  ///   - size: what its metadata state in that case, height and width.
  static func bytes(side: Int32, isOpen: Bool = false, size: (UInt32, UInt32)? = nil) -> [UInt8] {
    model(side: side, isOpen: isOpen, size: size, outputs: []).build()
  }

  /// The same with names of the channels, in an archive behind the model.
  static func labelled(side: Int32, size: (UInt32, UInt32), labels: [String]) throws -> [UInt8] {
    let file = FlatBufferNode.table([0: .string("labels.txt"), 2: .int8(2)])
    let model = model(side: side, isOpen: true, size: size, outputs: [.table([6: .vector([file])])])
    let contents = Array(labels.joined(separator: "\n").utf8)
    return try model.build() + ZipWriter.archive([("labels.txt", contents)])
  }

  private static func model(
    side: Int32, isOpen: Bool, size: (UInt32, UInt32)?, outputs: [FlatBufferNode]
  ) -> TFLiteModelBuilder {
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
    if isOpen { model.subgraphs[0].tensors[0].shapeSignature = [-1, -1, -1, 3] }
    if let size {
      let image = FlatBufferNode.table([
        0: .int8(1), 1: .table([0: .uint32(size.1), 1: .uint32(size.0)]),
      ])
      let input = FlatBufferNode.table([3: .table([0: .uint8(2), 1: image])])
      let root = FlatBufferNode.table([3: .vector([.table([2: .vector([input]), 3: .vector(outputs)])])])
      model.metadata = [("TFLITE_METADATA", FlatBufferBuilder.build(root, identifier: "M001"))]
    }
    return model
  }
}
