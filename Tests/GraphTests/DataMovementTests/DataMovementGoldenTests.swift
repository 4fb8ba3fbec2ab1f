import Graph
import TensorCore
import Testing

/// Every case of the golden file, run with operands given at run time and again with all of them constant.
@Suite struct DataMovementGoldenTests {
  @Test func fileIsThere() { #expect(GoldenCase.dataMovement.count > 400) }

  @Test(arguments: GoldenCase.dataMovement)
  func equalsTheReferenceKernels(_ golden: GoldenCase) throws {
    let expected = try golden.outputs.map { try $0.tensor() }
    let operation = try #require(golden.operation)
    for folds in [false, true] {
      let results = try run(operation, golden, folds: folds)
      #expect(results.count == expected.count)
      for (result, wanted) in zip(results, expected) {
        #expect(result.shape == wanted.shape)
        #expect(result.dataType == wanted.dataType)
        #expect(
          result.withBytes { Array($0) } == wanted.withBytes { Array($0) },
          "\(describe(result)) instead of \(describe(wanted))")
      }
    }
  }

  private func run(_ operation: any Operation, _ golden: GoldenCase, folds: Bool) throws -> [Tensor] {
    var builder = GraphBuilder()
    var operands: [Value] = []
    var given: [Tensor] = []
    for (index, input) in golden.inputs.enumerated() {
      let tensor = try input.tensor()
      if folds || input.constant == true {
        operands.append(builder.constant("input \(index)", tensor))
      } else {
        operands.append(builder.input("input \(index)", tensor.type))
        given.append(tensor)
      }
    }
    let declarations = try golden.outputs.enumerated().map { index, output in
      GraphBuilder.Declaration("output \(index)", try output.tensor().type)
    }
    for value in try builder.add(operation, operands, results: declarations, label: golden.name) {
      builder.output(value)
    }
    return try Compiler.compile(builder.graph).run(given)
  }

  private func describe(_ tensor: Tensor) -> String {
    switch tensor.dataType {
    case .float32: "\((try? tensor.elements(of: Float.self)) ?? [])"
    case let type where type.isInteger: "\((try? tensor.integers()) ?? [])"
    default: "\(tensor.withBytes { Array($0) })"
    }
  }
}

extension GoldenCase {
  /// The operation that the case asks for.
  var operation: (any Operation)? {
    switch `operator` {
    case "SQUEEZE": Squeeze(axes: integers("axes"))
    case "EXPAND_DIMS": ExpandDimensions()
    case "TRANSPOSE": Transpose()
    case "SHAPE": ShapeOf(elementType: type)
    case "RANK": Rank()
    case "REVERSE_V2": Reverse()
    case "DEPTH_TO_SPACE": DepthToSpace(blockSize: integer("blockSize"))
    case "SPACE_TO_DEPTH": SpaceToDepth(blockSize: integer("blockSize"))
    case "CONCATENATION": Concatenation(axis: integer("axis"))
    case "SPLIT": Split(count: integer("count"))
    case "SPLIT_V": SplitV(count: integer("count"))
    case "PACK": Pack(axis: integer("axis"))
    case "UNPACK": Unpack(count: integer("count"), axis: integer("axis"))
    case "SLICE": Slice()
    case "STRIDED_SLICE":
      StridedSlice(
        beginMask: integer("beginMask"), endMask: integer("endMask"), ellipsisMask: integer("ellipsisMask"),
        newAxisMask: integer("newAxisMask"), shrinkAxisMask: integer("shrinkAxisMask"),
        offset: integer("offset") == 1)
    case "GATHER": Gather(axis: integer("axis"), batchDimensions: integer("batchDimensions"))
    case "GATHER_ND": GatherND()
    case "SCATTER_ND": ScatterND()
    case "EMBEDDING_LOOKUP": EmbeddingLookup()
    case "ONE_HOT": OneHot(axis: integer("axis"))
    case "TILE": Tile()
    case "PAD", "PADV2": Pad()
    case "MIRROR_PAD": MirrorPad(mode: integer("mode") == 0 ? .reflect : .symmetric)
    case "BROADCAST_TO": BroadcastTo()
    case "BROADCAST_ARGS": BroadcastArguments()
    case "FILL": Fill()
    case "RANGE": NumberRange()
    case "SPACE_TO_BATCH_ND": SpaceToBatchND()
    case "BATCH_TO_SPACE_ND": BatchToSpaceND()
    case "MATRIX_DIAG": MatrixDiagonal()
    case "MATRIX_SET_DIAG": MatrixSetDiagonal()
    default: choosing
    }
  }

  private var choosing: (any Operation)? {
    switch `operator` {
    case "SELECT": Select(broadcasts: false)
    case "SELECT_V2": Select(broadcasts: true)
    case "WHERE": Where()
    case "TOPK_V2": TopK()
    case "ARG_MAX": ArgMax(outputType: type)
    case "ARG_MIN": ArgMin(outputType: type)
    case "CUMSUM": CumulativeSum(exclusive: integer("exclusive") == 1, reverse: integer("reverse") == 1)
    case "REVERSE_SEQUENCE":
      ReverseSequence(sequenceAxis: integer("sequenceAxis"), batchAxis: integer("batchAxis"))
    case "CAST": Cast(to: type)
    case "RESIZE_BILINEAR":
      ResizeBilinear(
        alignCorners: integer("alignCorners") == 1, halfPixelCenters: integer("halfPixelCenters") == 1)
    case "RESIZE_NEAREST_NEIGHBOR":
      ResizeNearestNeighbor(
        alignCorners: integer("alignCorners") == 1, halfPixelCenters: integer("halfPixelCenters") == 1)
    default: nil
    }
  }
}
