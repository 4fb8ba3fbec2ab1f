import TensorCore
import TestSupport
import Testing

@testable import Formats

/// The options of each operator stand at the slots of the schema, and values outside it are refused.
struct TFLiteOptionsTests {
  private func options(_ builtin: Int32, _ kind: UInt8, _ fields: [Int: FlatBufferNode]) throws
    -> (any TFLiteOptions)?
  {
    let model = Builder.oneOperator(
      builtin, options: kind == 0 ? nil : Builder.Options(kind, fields),
      inputs: [Builder.Tensor("x", 0, [1])],
      outputs: [Builder.Tensor("y", 0, [1])])
    return try TFLiteModel(model.build()).subgraphs[0].operators[0].options
  }

  /// The options of an operator, which are of the type that is asked for.
  private func options<Options: TFLiteOptionDescription>(
    _ builtin: Int32, _ kind: UInt8, _ fields: [Int: FlatBufferNode]
  ) throws -> Options {
    let options: Options = try #require(try options(builtin, kind, fields) as? Options)
    // What was read is written, and read again, as the same.
    let record = try #require(TFLiteBuiltin(rawValue: builtin)).record(of: options)
    #expect(record.kind == kind || kind == 0)
    let message = try FlatBufferWriter.message(record.record, identifier: "TEST")
    let table = try FlatBuffer(StoredBytes(message), identifier: "TEST", format: "a test").root(
      named: "Options")
    #expect(try Options(table) == options)
    return options
  }

  private func refusal(_ builtin: Int32, _ kind: UInt8, _ fields: [Int: FlatBufferNode]) -> String {
    do {
      _ = try options(builtin, kind, fields)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func convolutions() throws {
    let size: [Int: FlatBufferNode] = [0: .int8(1), 1: .int32(2), 2: .int32(3)]
    #expect(
      try options(3, 1, size.merging([3: .int8(1), 4: .int32(4), 5: .int32(5), 6: .int8(4)]) { $1 })
        == Conv2DOptions(
          padding: .valid, stride: TFLiteExtent(height: 3, width: 2),
          dilation: TFLiteExtent(height: 5, width: 4), activation: .relu, quantizedBiasType: .int64))
    #expect(
      try options(4, 2, size.merging([3: .int32(6), 4: .int8(3)]) { $1 })
        == DepthwiseConv2DOptions(
          padding: .valid, stride: TFLiteExtent(height: 3, width: 2),
          dilation: TFLiteExtent(height: 1, width: 1), activation: .relu6, depthMultiplier: 6))
    #expect(
      try options(67, 49, size)
        == TransposeConvOptions(
          padding: .valid, stride: TFLiteExtent(height: 3, width: 2), activation: .none,
          quantizedBiasType: .float32))
    for pool: Int32 in [1, 12, 17] {
      #expect(
        try options(pool, 5, size.merging([3: .int32(7), 4: .int32(8)]) { $1 })
          == Pool2DOptions(
            padding: .valid, stride: TFLiteExtent(height: 3, width: 2),
            filter: TFLiteExtent(height: 8, width: 7), activation: .none))
    }
  }

  @Test func products() throws {
    #expect(
      try options(9, 8, [0: .int8(4), 1: .int8(1), 2: .bool(true), 3: .bool(true)])
        == FullyConnectedOptions(
          activation: .tanh, weightsFormat: .shuffled4x16Int8, keepDimensions: true,
          asymmetricQuantizeInputs: true, quantizedBiasType: .float32))
    #expect(
      try options(126, 101, [1: .bool(true)])
        == BatchMatMulOptions(adjointX: false, adjointY: true, asymmetricQuantizeInputs: false))
  }

  @Test func elementwise() throws {
    #expect(
      try options(0, 11, [0: .int8(2)]) == AdditionOptions(activation: .reluN1To1, powerOfTwoScale: true))
    #expect(
      try options(41, 28, [1: .bool(false)]) == AdditionOptions(activation: .none, powerOfTwoScale: false))
    #expect(try options(18, 21, [0: .int8(1)]) == ProductOptions(activation: .relu))
    #expect(try options(42, 29, [:]) == ProductOptions(activation: .none))
    #expect(try options(25, 9, [0: .float(1.5)]) == SoftmaxOptions(beta: 1.5))
    #expect(try options(98, 75, [0: .float(0.1)]) == LeakyReluOptions(alpha: 0.1))
    #expect(try options(150, 116, [0: .bool(true)]) == GeluOptions(approximate: true))
    #expect(
      try options(13, 13, [0: .int32(2), 1: .float(3), 2: .float(4), 3: .float(5)])
        == LocalResponseNormalizationOptions(radius: 2, bias: 3, alpha: 4, beta: 5))
    #expect(
      try options(80, 58, [0: .float(-1), 1: .float(1), 2: .int32(8), 3: .bool(true)])
        == FakeQuantOptions(minimum: -1, maximum: 1, bits: 8, narrowRange: true))
    #expect(try options(128, 102, [1: .bool(true)]) == CumsumOptions(exclusive: false, reverse: true))
    #expect(try options(147, 115, [0: .floats([1, 2])]) == BucketizeOptions(boundaries: [1, 2]))
    #expect(try options(53, 37, [0: .int8(2), 1: .int8(9)]) == CastOptions(from: .int32, to: .int8))
  }

  @Test func shapes() throws {
    #expect(try options(2, 10, [0: .int32(-1)]) == ConcatenationOptions(axis: -1, activation: .none))
    #expect(try options(22, 17, [0: .int32s([2, -1])]) == ReshapeOptions(newShape: [2, -1]))
    #expect(try options(22, 0, [:]) == ReshapeOptions(newShape: nil))
    #expect(try options(43, 30, [0: .int32s([1, 2])]) == SqueezeOptions(axes: [1, 2]))
    for reduction: Int32 in [40, 74, 81, 82, 89, 91, 140] {
      #expect(try options(reduction, 27, [0: .bool(true)]) == ReducerOptions(keepDimensions: true))
    }
    #expect(try options(36, 23, [0: .int32(1), 1: .int32(2)]) == GatherOptions(axis: 1, batchDimensions: 2))
    #expect(try options(49, 35, [0: .int32(3)]) == SplitOptions(count: 3))
    #expect(try options(102, 79, [0: .int32(3)]) == SplitOptions(count: 3))
    #expect(try options(83, 59, [0: .int32(3), 1: .int32(1)]) == PackOptions(count: 3, axis: 1))
    #expect(try options(88, 64, [0: .int32(3), 1: .int32(1)]) == UnpackOptions(count: 3, axis: 1))
    #expect(try options(100, 77, [0: .int8(1)]) == MirrorPadOptions(mode: .symmetric))
    #expect(
      try options(23, 15, [2: .bool(true)])
        == ResizeBilinearOptions(alignCorners: true, halfPixelCenters: false))
    #expect(
      try options(97, 74, [1: .bool(true)])
        == ResizeNearestNeighborOptions(alignCorners: false, halfPixelCenters: true))
    #expect(try options(56, 40, [0: .int8(4)]) == ArgumentExtremumOptions(outputType: .int64))
    #expect(try options(79, 57, [0: .int8(2)]) == ArgumentExtremumOptions(outputType: .int32))
    #expect(try options(85, 61, [0: .int32(-1)]) == OneHotOptions(axis: -1))
    #expect(try options(77, 55, [0: .int8(2)]) == ShapeOptions(outputType: .int32))
    #expect(try options(26, 19, [0: .int32(2)]) == BlockOptions(size: 2))
    #expect(try options(5, 94, [0: .int32(2)]) == BlockOptions(size: 2))
    #expect(try options(112, 87, [0: .int32(1)]) == ReverseSequenceOptions(sequenceAxis: 1, batchAxis: 0))
    #expect(try options(103, 80, [:]) == UniqueOptions(indexType: .int32))
    let slice: [Int: FlatBufferNode] = [
      0: .int32(1), 1: .int32(2), 2: .int32(4), 3: .int32(8), 4: .int32(16), 5: .bool(true),
    ]
    #expect(
      try options(45, 32, slice)
        == StridedSliceOptions(
          beginMask: 1, endMask: 2, ellipsisMask: 4, newAxisMask: 8, shrinkAxisMask: 16, endIsOffset: true)
    )
  }

  @Test func operatorsWithoutOptionsPassOverThem() throws {
    #expect(try options(21, 77, [0: .int8(9)]) == nil)
  }

  @Test func valuesThatCannotBe() {
    #expect(
      refusal(3, 1, [1: .int32(1), 2: .int32(0)])
        .contains("(Conv2DOptions.stride_h): stride_h is 0, expected at least 1"))
    #expect(refusal(3, 0, [:]).contains("Conv2DOptions.stride_h: stride_h is 0, as the table is absent"))
    #expect(
      refusal(3, 1, [1: .int32(1), 2: .int32(1), 4: .int32(0)])
        .contains("operator 0 (CONV_2D): offset"))
    #expect(
      refusal(3, 1, [1: .int32(1), 2: .int32(1), 4: .int32(0)])
        .contains("(Conv2DOptions.dilation_w_factor): dilation_w_factor is 0"))
    #expect(
      refusal(17, 5, [1: .int32(1), 2: .int32(1), 3: .int32(-4), 4: .int32(1)]).contains("filter_width is -4")
    )
    #expect(refusal(3, 1, [0: .int8(2)]).contains("(Conv2DOptions.padding): unknown value 2"))
    #expect(refusal(0, 11, [0: .int8(6)]).contains("(AddOptions.fused_activation_function): unknown value 6"))
    #expect(refusal(100, 77, [0: .int8(2)]).contains("(MirrorPadOptions.mode): unknown value 2"))
    #expect(refusal(26, 19, [:]).contains("block_size is 0, expected at least 1"))
    #expect(refusal(53, 37, [0: .int8(-1)]).contains("unknown element type -1"))
    #expect(
      refusal(3, 2, [:]).contains(
        "(Operator.builtin_options_type): options of kind 2, expected 1 (Conv2DOptions)"))
  }
}
