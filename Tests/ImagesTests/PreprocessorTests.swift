import Images
import TensorCore
import Testing

/// Pictures reach the input's memory in the input's own type, and results can say how.
@Suite struct PreprocessorTests {
  /// All 256 values in each channel, at the size of the input, so that nothing is resized.
  private let ramp = RGBImage(sound: 16, 16, (0..<256).flatMap { [UInt8($0), UInt8($0), UInt8($0)] })

  private func input(_ type: DataType, _ scale: Float? = nil, _ zeroPoint: Int32 = 0) throws -> TensorType {
    let quantization = try scale.map { scale throws(ApusError) in
      try Quantization(scales: [scale], zeroPoints: [zeroPoint])
    }
    return TensorType(type, try Shape([1, 16, 16, 3]), quantization: quantization)
  }

  private func bytes(_ profile: PreprocessingProfile, _ type: TensorType) throws -> [Int] {
    let tensor = try Preprocessor(profile, input: type).tensor(ramp)
    let signed = type.dataType == .int8
    return tensor.withBytes { bytes in
      stride(from: 0, to: bytes.count, by: 3).map {
        signed ? Int(Int8(bitPattern: bytes[$0])) : Int(bytes[$0])
      }
    }
  }

  @Test func floats() throws {
    let type = try input(.float32)
    let values = try Preprocessor(.mobileNetV2, input: type).tensor(ramp).elements(of: Float.self)
    #expect(values == ramp.pixels.map { Float($0) / 127.5 - 1 })
  }

  /// The scales that training notes down for x/127.5 − 1 all mean: the bytes themselves.
  @Test(
    arguments: [
      (Float(0.0078125), Int32(128)), (Float(1 / 127.5), 127), (Float(1 / 127.5), 128),
      (Float(0.0078125), 127),
    ] as [(Float, Int32)])
  func uint8BytesPass(_ scale: Float, _ zeroPoint: Int32) throws {
    #expect(try bytes(.mobileNetV2, try input(.uint8, scale, zeroPoint)) == Array(0...255))
    let signed = try bytes(.mobileNetV2, try input(.int8, scale, zeroPoint - 128))
    #expect(signed == Array(-128...127))
  }

  /// q = clamp(round half away(value / scale) + zero point), for a scale far from the bytes.
  @Test func quantizes() throws {
    let scale: Float = 0.05
    let expected = (0...255).map { byte in
      let value = Float(byte) / 127.5 - 1
      return Int((value / scale).rounded(.toNearestOrAwayFromZero)) + 3
    }
    #expect(try bytes(.mobileNetV2, try input(.int8, scale, 3)) == expected.map { min(max($0, -128), 127) })
    #expect(try bytes(.mobileNetV2, try input(.uint8, scale, 3)) == expected.map { min(max($0, 0), 255) })
    let preprocessor = try Preprocessor(.mobileNetV2, input: try input(.int8, scale, 3))
    #expect(
      preprocessor.description
        == "mobilenet-v2: pillow-bilinear, stretch to 16×16, x/127.5-1, int8 with scale 0.05 and zero point 3"
    )
  }

  @Test func tensorFlowBytesAreRounded() throws {
    let values = try bytes(.tensorFlow, try input(.uint8, 0.0078125, 128))
    #expect(values == Array(0...255))
  }

  @Test func description() throws {
    #expect(
      try Preprocessor(.imageNetTorchvision, input: try input(.float32)).description
        == "imagenet-torchvision: pillow-bilinear, shorter side ×8/7 and centre crop to 16×16, "
        + "(x/255-[0.485, 0.456, 0.406])/[0.229, 0.224, 0.225], float32")
    #expect(
      try Preprocessor(.mobileNetV2, input: try input(.uint8, 0.0078125, 128)).description
        .hasSuffix("uint8 with scale 0.0078125 and zero point 128, bytes as they are"))
  }

  /// The very numbers of channels last, in the other order.
  @Test(arguments: [DataType.float32, .uint8, .int8], [1, 3])
  func channelsFirst(_ type: DataType, _ channels: Int) throws {
    let quantization = type == .float32 ? nil : try Quantization(scales: [0.02], zeroPoints: [3])
    let pixels = (0..<(20 * 18 * 3)).map { UInt8(truncatingIfNeeded: $0 &* 73 ^ $0 >> 3) }
    let image = try RGBImage(width: 20, height: 18, pixels: pixels)
    func bytes(_ shape: [Int], _ order: ImageProcessor.Layout? = nil) throws -> [[UInt8]] {
      let input = TensorType(type, try Shape(shape), quantization: quantization)
      let bytes = try Preprocessor(.mobileNetV2, input: input, order: order).tensor(image).withBytes {
        Array($0)
      }
      let size = type.byteCount
      return (0..<(bytes.count / size)).map { Array(bytes[($0 * size)..<(($0 + 1) * size)]) }
    }
    let last = try bytes([1, 14, 10, channels])
    let turned = (0..<channels).flatMap { channel in (0..<140).map { last[$0 * channels + channel] } }
    #expect(Set(last).count > 20)
    #expect(try bytes([1, channels, 14, 10]) == turned)
    #expect(try bytes([channels, 14, 10]) == turned)
    // What could be both has channels last, unless something else is said.
    let wide = try bytes([1, 3, 10, 3])
    #expect(try bytes([1, 3, 10, 3], .channelsLast) == wide)
    #expect(try bytes([1, 3, 10, 3], .channelsFirst) != wide)
  }

  @Test func resultsSayTheOrder() throws {
    let first = try Preprocessor(.mobileNetV2, input: TensorType(.float32, try Shape([1, 3, 16, 12])))
    #expect(
      first.description
        == "mobilenet-v2: pillow-bilinear, stretch to 12×16, x/127.5-1, float32, channels first")
    #expect(first.order == .channelsFirst && first.channels == 3 && first.size.height == 16)
  }

  @Test func unsuitableInputs() throws {
    for shape in [
      [1, 16, 16, 4], [2, 16, 16, 3], [16, 3], [1, 4, 16, 16], [2, 3, 16, 16], [1, 0, 16, 3], [1, 3, 16, 0],
      [1, 1 << 20, 16, 3], [1, 3, 16, 1 << 20],
    ] {
      #expect(throws: ApusError.self) {
        try Preprocessor(.mobileNetV2, input: TensorType(.float32, try Shape(shape)))
      }
    }
    for type in [DataType.int32, .float16, .int8] {
      #expect(throws: ApusError.self) { try Preprocessor(.mobileNetV2, input: try input(type)) }
    }
    let scales = try Quantization(scales: [1, 1, 1], zeroPoints: [0, 0, 0], axis: 3)
    let perChannel = TensorType(.uint8, try Shape([1, 16, 16, 3]), quantization: scales)
    #expect(throws: ApusError.self) { try Preprocessor(.mobileNetV2, input: perChannel) }
  }

  /// A network that scales the bytes itself.
  @Test(
    arguments: [.mobileNetV2, .clip, .tensorFlow, .mobileNetV2.with(.unchanged)] as [PreprocessingProfile])
  func uint8WithoutQuantizationGetsTheBytes(_ profile: PreprocessingProfile) throws {
    #expect(try bytes(profile, try input(.uint8)) == Array(0...255))
    let description = try Preprocessor(profile, input: try input(.uint8)).description
    #expect(description.hasSuffix("to 16×16, x, uint8, bytes as they are"), "\(description)")
  }

  /// What TensorFlow's resize gives is rounded to the nearest byte, as for other integer inputs.
  @Test func resizedBytesAreRounded() throws {
    let image = try RGBImage(width: 2, height: 1, pixels: [0, 0, 0, 255, 255, 255])
    let raw = try Preprocessor(.tensorFlow, input: try input(.uint8)).tensor(image)
    let quantized = try Preprocessor(.tensorFlow, input: try input(.uint8, 0.0078125, 128)).tensor(image)
    #expect(raw.withBytes { Array($0) } == quantized.withBytes { Array($0) })
    #expect(Set(raw.withBytes { Array($0) }).count > 2)
  }

  @Test func wrongRoom() throws {
    let preprocessor = try Preprocessor(.mobileNetV2, input: try input(.float32))
    var room = [Float](repeating: 0, count: 16 * 16 * 3 - 1)
    let ramp = ramp
    #expect(throws: ApusError.self) {
      try room.withUnsafeMutableBytes { try preprocessor.write(ramp, into: $0) }
    }
  }

  @Test func profilesByName() throws {
    for profile in PreprocessingProfile.all {
      #expect(try PreprocessingProfile.named(profile.name) == profile)
    }
    for name in ["MobileNet_V2", "mobilenetv2", "mobilenet v2", "MOBILENET-V2"] {
      let profile = try PreprocessingProfile.named(name)
      #expect(profile == .mobileNetV2, "\(name)")
    }
    let capitals = try PreprocessingProfile.named("TensorFlow")
    #expect(capitals == .tensorFlow)
    for name in ["mobilnet", "", "_", "mobilenet/v2"] {
      #expect(throws: ApusError.self, "\(name)") { try PreprocessingProfile.named(name) }
    }
  }
}
