import Formats
import Foundation
import Images
import TensorCore
import TestSupport
import Testing

/// Pictures prepared by a model's configuration have the bytes, and after normalisation the very floats, of
/// transformers, timm and OpenCLIP.
@Suite struct ImageProcessorParityTests {
  @Test func thereAreFixtures() {
    #expect(Fixtures.all.configurations.count >= 19, "\(Fixtures.all.versions)")
    #expect(Fixtures.all.shared.count > 100)
  }

  @Test(arguments: Fixtures.all.own.keys.sorted())
  func ownPicture(_ name: String) throws {
    let expected = try #require(Fixtures.all.own[name])
    #expect(try Fixtures.differences(PictureFixtures.path(name), expected) == [], "\(name)")
  }

  @Test(.enabled(if: SharedData.isPresent, "no shared data"), arguments: Fixtures.all.shared.keys.sorted())
  func sharedPicture(_ name: String) throws {
    let expected = try #require(Fixtures.all.shared[name])
    #expect(try Fixtures.differences(SharedData.path(name), expected) == [], "\(name)")
  }
}

/// What `Tools/fixtures/preprocessing/make.py` wrote.
private struct Fixtures: Decodable {
  struct Configuration: Decodable {
    let file: String
    let content: String
  }

  /// Digests for each configuration, in the order of their names.
  struct Expectation: Decodable, Sendable {
    let bytes: [String]
    let floats: [String]
  }

  let versions: [String: String]
  let configurations: [String: Configuration]
  let own: [String: Expectation]
  let shared: [String: Expectation]

  static let all: Fixtures = {
    let url = PictureFixtures.folder.appendingPathComponent("preprocessing.json")
    do {
      return try JSONDecoder().decode(Fixtures.self, from: Data(contentsOf: url))
    } catch {
      Issue.record("\(url.path): \(error)")
      return Fixtures(versions: [:], configurations: [:], own: [:], shared: [:])
    }
  }()

  /// The names of the configurations whose results for a picture differ.
  static func differences(_ path: String, _ expected: Expectation) throws -> [String] {
    let image = try ImageDecoder.decode(contentsOf: path).image
    var differences: [String] = []
    for (index, name) in all.configurations.keys.sorted().enumerated() {
      let processor = try processor(name)
      let size = try #require(processor.size)
      let input = TensorType(.float32, try Shape([1, size.height, size.width, 3]))
      let unchanged = processor.profile.with(.unchanged)
      let plain: [Float] = try Preprocessor(unchanged, input: input).tensor(image).elements()
      if PictureDigest.of(plain.map { UInt8($0) }) != expected.bytes[index] {
        differences.append("\(name): bytes")
      }
      let floats: [Float] = try Preprocessor(processor.profile, input: input).tensor(image).elements()
      if PictureDigest.of(floats) != expected.floats[index] { differences.append("\(name): floats") }
    }
    return differences
  }

  private static func processor(_ name: String) throws -> ImageProcessor {
    let configuration = try #require(all.configurations[name])
    let folder = try TemporaryFolder()
    try folder.write(configuration.file, configuration.content)
    return try #require(try ImageProcessor.find(in: try ModelFolder(folder.path)))
  }
}
