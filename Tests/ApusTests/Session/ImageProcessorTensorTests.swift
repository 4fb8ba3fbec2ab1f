import Apus
import Foundation
import TestSupport
import Testing

/// Pictures as tensors: a folder's or a profile's numbers, in the order of axes that is asked for.
@Suite struct ImageProcessorTensorTests {
  private func picture(_ seed: Int, width: Int = 40, height: Int = 30) throws -> Picture {
    let pixels = (0..<(width * height * 3)).map { UInt8(truncatingIfNeeded: ($0 &* (31 + seed)) ^ $0 >> 4) }
    return .pixels(try RGBImage(width: width, height: height, pixels: pixels))
  }

  @Test(arguments: PreprocessingProfile.all)
  func channelsFirstAreTheSameNumbers(_ profile: PreprocessingProfile) throws {
    let processor = try ImageProcessor(profile, width: 12, height: 10)
    let pictures = try (0..<3).map { try picture($0) }
    let last = try processor.tensor(pictures, layout: .channelsLast)
    let first = try processor.tensor(pictures)
    #expect(last.shape.dimensions == [3, 10, 12, 3] && first.shape.dimensions == [3, 3, 10, 12])
    let (a, b) = (try last.elements(of: Float.self), try first.elements(of: Float.self))
    #expect(Set(a).count > 20)
    for index in a.indices {
      let (place, channel) = ((index / 3) % 120, index % 3)
      #expect(a[index] == b[index / 360 * 360 + channel * 120 + place])
    }
    // What the preprocessor writes into a model's input.
    let input = TensorType(.float32, try Shape([1, 10, 12, 3]))
    for (number, picture) in pictures.enumerated() {
      guard case .pixels(let image) = picture else { continue }
      let alone: [Float] = try Preprocessor(profile, input: input).tensor(image).elements()
      #expect(Array(a[(number * 360)..<((number + 1) * 360)]) == alone)
      #expect(try processor.tensor(picture, layout: .channelsLast).elements() == alone)
    }
  }

  @Test(arguments: ["vit", "clip", "siglip", "mobilenetv2"])
  func aFolderRunsOnItsOwnPictures(_ name: String) throws {
    let path = Checkout.modelFolder(name)
    let processor = try ImageProcessor(path)
    let session = try InferenceSession(
      path, options: .init(network: name == "clip" || name == "siglip" ? "image" : nil))
    let picture = try picture(5)
    let pixels = try processor.tensor(picture)
    #expect(pixels.shape == session.inputs[0].shape)
    #expect(
      try processor.tensor(picture, for: session.inputs[0]).elements(of: Float.self) == pixels.elements())
    let numbers = try session.blocking.run([pixels])[0].tensor.elements(of: Float.self)
    if name == "clip" || name == "siglip" {
      let expected = try ImageEmbedder(path).blocking.embed(picture).values
      let length = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
      for (found, expected) in zip(numbers, expected) { #expect(abs(found / length - expected) < 1e-6) }
    } else {
      let best = try ImageClassifier(path).blocking.classify(picture, topK: 1).predictions[0].index
      #expect(numbers.firstIndex(of: numbers.max() ?? 0) == best)
    }
  }

  @Test func aFileHasItsOwnInput() throws {
    let path = Checkout.root.appendingPathComponent("Weights/rice-leaf/rice_v1_int8.tflite").path
    let session = try InferenceSession(path)
    let processor = try ImageProcessor(path)
    let input = try processor.tensor(picture(9), for: session.inputs[0])
    #expect(input.type == session.inputs[0].type && input.dataType == .int8)
    let outputs = try session.blocking.run([input])
    let scores = try outputs[0].tensor.realNumbers()
    let result = try ImageClassifier(path).blocking.classify(picture(9), topK: scores.count)
    #expect(result.predictions[0].index == scores.firstIndex(of: scores.max() ?? 0))
  }

  @Test func whatCannotBeIsSaid() throws {
    let folder = try TemporaryFolder()
    #expect { try ImageProcessor(folder.path) } throws: { ($0 as? ApusError)?.kind == .configuration }
    #expect { try ImageProcessor(folder.path + "/nowhere") } throws: { ($0 as? ApusError) != nil }
    #expect { try ImageProcessor(.clip, width: 0, height: 5) } throws: {
      ($0 as? ApusError)?.kind == .argument
    }
    let processor = try ImageProcessor(.clip, width: 8, height: 8)
    #expect { try processor.tensor([]) } throws: { ($0 as? ApusError)?.kind == .argument }
    #expect { try processor.tensor("nowhere.jpg") } throws: { ($0 as? ApusError)?.file == "nowhere.jpg" }
    let own = ImageProcessor(profile: .clip, size: nil)
    let (small, large) = (try picture(1, width: 8, height: 8), try picture(1, width: 16, height: 16))
    #expect(try own.tensor(small).shape.dimensions == [1, 3, 8, 8])
    #expect { try own.tensor([small, large]) } throws: { ($0 as? ApusError)?.kind == .argument }
  }
}
