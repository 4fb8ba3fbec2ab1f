import Images
import TensorCore
import Testing

/// Inputs of one channel take shades of grey: those of the file, or of Pillow 13's `convert("L")`.
@Suite struct GreyInputTests {
  /// Colours, and what Pillow makes of them.
  private static let colours: [(rgb: [UInt8], grey: UInt8)] = [
    ([0, 255, 0], 150), ([5, 250, 15], 150), ([10, 245, 30], 150), ([15, 240, 45], 150),
    ([20, 235, 60], 151),
    ([25, 230, 75], 151), ([19, 236, 57], 151), ([34, 221, 102], 152), ([255, 0, 0], 76), ([0, 0, 255], 29),
  ]

  private func input(_ type: DataType = .float32, channels: Int = 1) throws -> TensorType {
    let quantization = type == .float32 ? nil : try Quantization(scales: [1 / 255], zeroPoints: [-128])
    return TensorType(type, try Shape([1, 2, 5, channels]), quantization: quantization)
  }

  private func profile(_ geometry: Geometry, mean: [Float] = [0.5]) throws -> PreprocessingProfile {
    PreprocessingProfile(
      name: "grey", resize: .pillow(.bilinear), geometry: geometry,
      normalization: try .meanStd(rescaledBy: 1.0 / 255, mean, mean))
  }

  @Test func coloursBecomeGreyAsInPillow() throws {
    let picture = RGBImage(sound: 5, 2, Self.colours.flatMap(\.rgb))
    let preprocessor = try Preprocessor(profile(.unchanged), input: input())
    #expect(preprocessor.byteCount == 40)
    #expect(preprocessor.description.hasPrefix("grey: grey, pillow-bilinear, no resize to 5×2"))
    let found = try preprocessor.tensor(picture).elements(of: Float.self)
    #expect(found == Self.colours.map { (Float($0.grey) / 255 - 0.5) / 0.5 })
    let bytes = try Preprocessor(profile(.unchanged).with(.zeroToOne), input: input(.int8))
    #expect(
      try bytes.tensor(picture).elements(of: Int8.self)
        == Self.colours.map { Int8(truncatingIfNeeded: Int($0.grey) - 128) })
  }

  /// A grey picture has in its one channel what it would have in each of three.
  @Test(arguments: [ResizeMethod.pillow(.bicubic), .torchvision(.bilinear), .tensorFlow(.bilinear)])
  func greyPicturesAreResizedAsColouredOnes(_ resize: ResizeMethod) throws {
    let picture = RGBImage(
      sound: 40, 30,
      (0..<1200).flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0 * 7 ^ $0 >> 3), count: 3) })
    let profile = PreprocessingProfile(
      name: "p", resize: resize, geometry: .stretch, normalization: .minusOneToOne)
    let grey = try Preprocessor(profile, input: input()).tensor(picture).elements(of: Float.self)
    let coloured = try Preprocessor(profile, input: input(channels: 3)).tensor(picture).elements(
      of: Float.self)
    #expect(grey == stride(from: 0, to: coloured.count, by: 3).map { coloured[$0] })
    #expect(Set(grey).count > 3)
  }

  @Test func withoutAResizeTheSizeMustBeTheInputs() throws {
    let picture = RGBImage(sound: 4, 2, [UInt8](repeating: 9, count: 24))
    let preprocessor = try Preprocessor(profile(.unchanged), input: input())
    let error = #expect(throws: ApusError.self) { try preprocessor.tensor(picture) }
    #expect(error?.kind == .image && error?.problem == "a picture of 4×2 pixels")
    // The centre of a smaller picture has a black border.
    let cropped = try Preprocessor(profile(.crop(rounding: .huggingFace)), input: input()).tensor(picture)
    #expect(try cropped.elements(of: Float.self).filter { $0 == -1 }.count == 2)
  }

  @Test func constantsOfThreeChannelsAreRefused() throws {
    let error = #expect(throws: ApusError.self) { try Preprocessor(.clip, input: try input()) }
    #expect(error?.kind == .configuration)
  }
}
