import Formats
import Images
import Networks
import TensorCore
import Testing

/// What is done with pictures when nobody says.
@Suite struct InputRecipeTests {
  private func normalization(_ type: DataType, _ scale: Float?, _ zeroPoint: Int32 = 0) throws
    -> Normalization
  {
    let quantization = try scale.map { try Quantization(scales: [$0], zeroPoints: [zeroPoint]) }
    let input = TensorType(type, try Shape([1, 8, 8, 3]), quantization: quantization)
    return try InputRecipe.profile(tensor: nil, input: input).normalization
  }

  @Test func floatsAreFromMinusOneToOne() throws {
    #expect(try normalization(.float32, nil) == .minusOneToOne)
  }

  @Test func scaleAndZeroPointTellTheRange() throws {
    #expect(try normalization(.uint8, 1 / 128, 128) == .minusOneToOne)
    #expect(try normalization(.int8, 1 / 127.5, -1) == .minusOneToOne)
    #expect(try normalization(.uint8, 1 / 255, 0) == .zeroToOne)
    #expect(try normalization(.int8, 1 / 255, -128) == .zeroToOne)
    #expect(try normalization(.uint8, 1, 0) == .unchanged)
    #expect(try normalization(.int8, 1, -128) == .unchanged)
    #expect(try normalization(.uint8, 0.02, 114) == .scaleOffset(perByteStep: 0.02, offset: -2.28))
  }

  @Test func uint8WithoutQuantizationIsBytes() throws {
    #expect(try normalization(.uint8, nil) == .unchanged)
  }

  /// Whatever its scale, an integer input gets the bytes of the picture.
  @Test(arguments: [(1 / 128, 128), (1 / 255, 0), (1, 0), (0.02, 114), (0.5, 3)] as [(Float, Int32)])
  func integerInputsGetTheBytes(_ scale: Float, _ zeroPoint: Int32) throws {
    let pixels = (0..<8 * 8 * 3).map { UInt8($0) }
    let image = try RGBImage(width: 8, height: 8, pixels: pixels)
    for (type, shift) in [(DataType.uint8, Int32(0)), (.int8, 128)] {
      let quantization = try Quantization(scales: [scale], zeroPoints: [zeroPoint - shift])
      let input = TensorType(type, try Shape([1, 8, 8, 3]), quantization: quantization)
      let profile = try InputRecipe.profile(tensor: nil, input: input)
      let tensor = try Preprocessor(profile, input: input).tensor(image)
      let bytes = tensor.withBytes { $0.map { $0 ^ (type == .int8 ? 0x80 : 0) } }
      #expect(bytes == pixels)
    }
  }
}
