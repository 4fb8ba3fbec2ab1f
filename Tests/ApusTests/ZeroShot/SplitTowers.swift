import Foundation
import TestSupport
import Testing

/// The towers of a small model in two folders, as transformers saves them: without the numbers by which the whole model
/// compares embeddings, unless they are to stand beside the weights.
struct SplitTowers {
  typealias Tensor = (name: String, type: String, shape: [Int], bytes: [UInt8])

  private struct Entry: Decodable {
    let dtype: String?
    let shape: [Int]?
    let data_offsets: [Int]?
  }

  let pictures: TemporaryFolder
  let texts: TemporaryFolder

  /// - Parameters:
  ///   - name: `clip` or `siglip`.
  ///   - kept: tensors of the whole model that the folder with the tower for texts has too.
  init(_ name: String, keeping kept: [String] = []) throws {
    let whole = Checkout.modelFolder(name)
    let (image, text) =
      name == "clip"
      ? ("CLIPVisionModelWithProjection", "CLIPTextModelWithProjection")
      : ("SiglipVisionModel", "SiglipTextModel")
    pictures = try Self.folder(
      whole, "vision_config", image, ["vision_model.", "visual_projection."], ["preprocessor_config.json"])
    texts = try Self.folder(
      whole, "text_config", text, ["text_model.", "text_projection."] + kept,
      ["tokenizer.json", "tokenizer_config.json"])
  }

  private static func folder(
    _ whole: String, _ key: String, _ architecture: String, _ prefixes: [String], _ files: [String]
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let configuration = try String(contentsOfFile: whole + "/config.json", encoding: .utf8)
    let start = try #require(configuration.range(of: "\"\(key)\": {")).upperBound
    let end = try #require(configuration[start...].firstIndex(of: "}"))
    // The width of the projection is the whole model's, whatever its towers' own objects say.
    let tower = configuration[start..<end].replacing(
      "\"projection_dim\": 512", with: "\"projection_dim\": 16")
    try folder.write("config.json", "{\"architectures\": [\"\(architecture)\"],\(tower)}")
    let kept = try tensors(of: whole).filter { tensor in prefixes.contains { tensor.name.hasPrefix($0) } }
    try folder.write("model.safetensors", SafetensorsBuilder.file(kept))
    for file in files {
      try FileManager.default.copyItem(atPath: "\(whole)/\(file)", toPath: "\(folder.path)/\(file)")
    }
    return folder
  }

  /// The tensors of a folder, by their names.
  static func tensors(of folder: String) throws -> [Tensor] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/model.safetensors")))
    let start = 8 + (0..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    let header = try JSONDecoder().decode([String: Entry].self, from: Data(bytes[8..<start]))
    var tensors: [Tensor] = []
    for (name, entry) in header.sorted(by: { $0.key < $1.key }) {
      guard let type = entry.dtype, let shape = entry.shape, let place = entry.data_offsets else { continue }
      let content = Array(bytes[(start + place[0])..<(start + place[1])])
      tensors.append((name, type, shape, content))
    }
    return tensors
  }
}
