import Foundation
import Images
import Networks
import TensorCore
import TestSupport
import Testing

/// There is one recipe from a picture to an input: as asked, else as `meta.json` says, else as the model says.
struct PreparationTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  /// The preparation of a model of pictures of 8 × 8, with a `meta.json` beside it.
  private func prepared(
    _ metadata: String?, requested: PreprocessingProfile? = nil, named: String? = nil
  ) throws -> PicturePreparation {
    let path = try scratch.write("model.tflite", PictureModel.bytes(side: 8))
    if let metadata { _ = try scratch.write("meta.json", Array(metadata.utf8)) }
    let model = try OpenedModel(path)
    let network = try #require(try model.network(for: .image))
    return try model.preparation.pictures(
      for: network.inputTypes()[0], requested: requested, metadata: named)
  }

  @Test func whatIsAskedForWins() throws {
    let prepared = try prepared(#"{"preprocessing": "clip"}"#, requested: .viT)
    #expect(prepared.preprocessor.profile == .viT)
  }

  @Test func metadataBesideTheModelComeNext() throws {
    let prepared = try prepared(#"{"preprocessing": "clip", "threshold_default": 0.5}"#)
    #expect(prepared.preprocessor.profile == .clip)
    #expect(prepared.metadata?.threshold == 0.5)
  }

  @Test(arguments: ["Imagenet_Torchvision", "imagenettorchvision", "IMAGENET torchvision"])
  func profilesMayBeSpelledInOtherWays(_ name: String) throws {
    let profile = try prepared("{\"preprocessing\": \"\(name)\"}").preprocessor.profile
    #expect(profile == .imageNetTorchvision)
  }

  @Test func aProfileThatIsNotThereIsQuotedAsTheFileHasIt() throws {
    let text = #"{"preprocessing": "mobilenet_v2.preprocess_input"}"#
    let error = try #require(throws: ApusError.self) { try prepared(text) }
    #expect(error.kind == .configuration)
    #expect(error.problem == "no preprocessing profile is named 'mobilenet_v2.preprocess_input'")
  }

  @Test func shapesInNamedMetadataAreRead() throws {
    let fitting = try scratch.write("fitting.json", #"{"input_size": [1, 8, 8, 3]}"#)
    let size = try prepared(nil, named: fitting).metadata?.inputSize
    #expect(size == [8, 8])
    let named = try scratch.write("other.json", #"{"input_size": [8, 8, 4]}"#)
    let error = try #require(throws: ApusError.self) { try prepared(nil, named: named) }
    #expect(error.problem == "it is [8, 8, 4]")
  }

  @Test func withoutAWordTheInputTypeDecides() throws {
    #expect(try prepared(nil).preprocessor.profile == .mobileNetV2)
    #expect(try prepared(nil).metadata?.threshold == nil)
  }

  @Test func namedMetadataOfAnotherSizeAreRefused() throws {
    let named = try scratch.write("other.json", Array(#"{"input_size": 16}"#.utf8))
    let error = try #require(throws: ApusError.self) { try prepared(nil, named: named) }
    #expect(error.kind == .configuration && "\(error)".contains("input_size is [16, 16]"), "\(error)")
  }

  /// 1 stands for an extent that a file leaves open.
  @Test func picturesOfAnOpenSizeHaveTheOneOfTheMetadata() throws {
    func model(_ bytes: [UInt8]) throws -> (OpenedModel, Network) {
      let model = try OpenedModel(try scratch.write("open.tflite", bytes))
      return (model, try #require(try model.network(for: .image)))
    }
    let (stated, network) = try model(PictureModel.bytes(side: 1, isOpen: true, size: (6, 9)))
    let input = try network.inputTypes()[0]
    #expect(input.shape.dimensions == [1, 6, 9, 3])
    #expect(try network.inputs()[0].shape == input.shape)
    let size = try stated.preparation.pictures(for: input).preprocessor.size
    #expect(size.height == 6 && size.width == 9)
    for shape in [[1, 6, 9, 3], [1, 4, 5, 3], [1, 1, 1, 3]] {
      let tensor = try Tensor([Float](repeating: 2, count: shape.reduce(1, *)), shape: Shape(shape))
      let runs = try network.runner(ModelOptions()).runs([tensor])
      #expect(try runs.outputs()[0].elements(of: Float.self) == [2, 2, 2])
    }
    let (open, unsized) = try model(PictureModel.bytes(side: 1, isOpen: true))
    let error = try #require(throws: ApusError.self) {
      try open.preparation.pictures(for: unsized.inputTypes()[0], requested: .viT)
    }
    #expect("\(error)".contains("leaves the size of pictures open"), "\(error)")
    let (fixed, sized) = try model(PictureModel.bytes(side: 8, isOpen: true))
    #expect(try fixed.preparation.pictures(for: sized.inputTypes()[0]).preprocessor.size.height == 8)
  }
}
