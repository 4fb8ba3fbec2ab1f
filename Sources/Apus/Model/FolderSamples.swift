import Formats
import Images
import Models
import TensorCore
import Text

/// Pictures and texts as the inputs of a model folder's networks: for tools that run the graphs themselves.
///
/// Inputs depend on the configuration alone, so that they serve every folder with the same one.
package struct FolderSamples: Sendable {
  /// The inputs of one run, and of which tower.
  package struct Sample: Sendable {
    package let part: ModelPart
    package let inputs: [Tensor]
  }

  package private(set) var samples: [Sample] = []

  /// - Parameters:
  ///   - pictures: files, which only a model with a tower for pictures takes.
  ///   - texts: which only one with a tower for texts takes.
  /// - Throws: ``ApusError`` of kind `file` or `image` for a picture, `configuration` when the folder does not say how
  ///   inputs are prepared.
  package init(_ name: String, pictures: [String], texts: [String]) throws(ApusError) {
    var loading = FolderLoading(name)
    let folder = try loading.open()
    if let tower = folder.architecture.imageTower, !pictures.isEmpty {
      samples += try Self.images(pictures, tower, folder)
    }
    if let tower = folder.architecture.textTower, !texts.isEmpty {
      let pipeline = try TextPipeline(
        tower, tokenizer: loading.tokenizer(folder), preparation: folder.architecture.textPreparation,
        path: folder.path, options: ModelOptions())
      for text in texts {
        samples.append(Sample(part: .text, inputs: try pipeline.inputs(pipeline.encode(text).ids)))
      }
    }
  }

  private static func images(
    _ paths: [String], _ tower: any ImageTower, _ folder: LoadedFolder
  ) throws(ApusError) -> [Sample] {
    let profile = try folder.profile(nil, for: tower)
    let preprocessor = try naming(folder.path) { () throws(ApusError) in
      let size = tower.imageSize
      return try Preprocessor(
        profile, input: TensorType(.float32, try Shape([1, size.height, size.width, tower.channels])))
    }
    var samples: [Sample] = []
    for path in paths {
      let image = try Picture.file(path).decoded(limits: ImageLimits(), options: ImageOptions())
      let tensor = try naming(path) { () throws(ApusError) in try preprocessor.tensor(image) }
      samples.append(Sample(part: .image, inputs: [tensor]))
    }
    return samples
  }
}

extension ModelArchitecture {
  /// How texts are prepared for the model's tokenizer.
  fileprivate var textPreparation: TextPreparation {
    guard case .textEncoder(let model) = self else { return TextPreparation() }
    return TextPreparation(prompt: model.prompt ?? "", lowercases: model.lowercases)
  }
}
