import Foundation
import Formats
import TestSupport
import Testing

@testable import Models

/// `Dinov2WithRegistersModel` without any register: the library computes what `Dinov2Model` does, and saves the registers as a
/// tensor without elements.
struct DINOv2RegisterTests {
  /// The folder of the fixture without registers, as the other class has it.
  private func folder(savingRegisters isSaved: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("dinov2"))
    let configuration = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/config.json"))
    var keys = try #require(try JSONSerialization.jsonObject(with: configuration) as? [String: Any])
    keys["architectures"] = ["Dinov2WithRegistersModel"]
    keys["model_type"] = "dinov2_with_registers"
    keys["num_register_tokens"] = 0
    keys["use_mask_token"] = nil
    let changed = try JSONSerialization.data(withJSONObject: keys)
    try changed.write(to: URL(fileURLWithPath: folder.path + "/config.json"))
    guard isSaved else { return folder }
    let place = URL(fileURLWithPath: folder.path + "/model.safetensors")
    let file = try Data(contentsOf: place)
    let count = file.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = String(decoding: file[8..<8 + count], as: UTF8.self)
    let entry = #"{"embeddings.register_tokens":{"dtype":"F32","shape":[1,0,24],"data_offsets":[0,0]},"#
    let both = SafetensorsBuilder.file(header: entry + header.dropFirst(), data: Array(file[(8 + count)...]))
    try Data(both).write(to: place)
    return folder
  }

  @Test(arguments: [true, false])
  func withoutRegistersItIsDINOv2(_ isSaved: Bool) throws {
    let fixture = try ModelFixture("dinov2")
    let plain = try #require(try ModelArchitecture.load(fixture.folder).image)
    let folder = try folder(savingRegisters: isSaved)
    let tower = try #require(try ModelArchitecture.load(ModelFolder(folder.path)).image)
    // Positions of other sizes are interpolated in two ways.
    let pictures = try fixture.pictures().filter { $0.size == plain.imageSize }
    let picture = try #require(pictures.first)
    let expected = try ModelFixture.run(plain, picture)
    let found = try ModelFixture.run(tower, picture)
    #expect(found == expected)
  }
}
