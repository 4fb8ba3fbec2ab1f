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

  @Test func profilesMayBeSpelledWithUnderscores() throws {
    #expect(try prepared(#"{"preprocessing": "mobilenet_v2"}"#).preprocessor.profile == .mobileNetV2)
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
}
