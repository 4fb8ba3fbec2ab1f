import Formats
import TensorCore

extension ModelArchitecture {
  /// The networks of a folder whose weights are in ONNX files: what its configuration says, computed by those files.
  /// - Parameter imageSize: as for ``load(_:_:imageSize:)``.
  /// - Throws: ``ApusError`` also where a network has no file.
  package static func load(
    _ folder: ModelFolder, _ files: ONNXFolderFiles, imageSize: ImageSize? = nil
  ) throws(ApusError) -> ModelArchitecture {
    var model = try load(folder, SafetensorsCollection(ONNXNumbers(files)), imageSize: imageSize)
    if let image = model.image {
      model.image = ONNXImageTower(stated: image, network: ONNXTower(importer: try files.importer(.image)))
    }
    if let text = model.text {
      model.text = try ONNXTextTower(text, ONNXTower(importer: try files.importer(.text)))
    }
    if case .dualEncoder = model.outputs, !files.hasLogitScale {
      model.notes.append(
        "the ONNX files have no logit_scale: cosines are multiplied by \(Int(TowerPair.greatestCLIPScale)), the most that CLIP is trained to"
      )
    }
    return model
  }
}

/// The files of one variant of a folder, read.
package struct ONNXFolderFiles: Sendable {
  private let importers: [ONNXFiles.Part: ONNXImporter]
  let paths: [ONNXFiles.Part: String]
  /// How the file with both towers compares embeddings; nil where none does.
  let comparison: ONNXComparison?
  let folder: String

  /// - Throws: ``ApusError`` with the file's name.
  package init(_ folder: ModelFolder, variant: String?) throws(ApusError) {
    paths = try ONNXFiles(in: folder).paths(of: variant)
    self.folder = folder.path
    var importers: [ONNXFiles.Part: ONNXImporter] = [:]
    for (part, path) in paths { importers[part] = try ONNXLoader.load(path) }
    self.importers = importers
    comparison = importers[.model].flatMap(ONNXComparison.init)
  }

  /// Bytes of the files.
  package var byteCount: Int { importers.values.reduce(0) { $0 + $1.model.bytes.count } }

  /// The network for one kind of input: of its own file, or of the one with all.
  func importer(_ part: ONNXFiles.Part) throws(ApusError) -> ONNXImporter {
    guard let importer = importers[part] ?? importers[.model] else {
      let names = paths.values.map { FileName.last(of: $0) }.sorted().joined(separator: ", ")
      throw ApusError(
        .file, "has the ONNX files \(names)", expected: "\(part.rawValue).onnx or model.onnx", file: folder)
    }
    return importer
  }

  /// A number that the model learned, if a file has it by its name.
  func scalar(_ name: ExactText) -> Float? {
    for importer in importers.values {
      guard let tensor = importer.model.graph.initializers.first(where: { ExactText($0.name) == name }),
        let read = try? importer.constants.tensor(tensor), read.shape.elementCount == 1,
        let number = try? read.elements(of: Float.self).first
      else { continue }
      return number
    }
    return nil
  }

  var hasLogitScale: Bool { scalar("logit_scale") != nil || comparison != nil }
}
