import Formats
import Graph
import Images
import Models
import TensorCore

/// Makes input tensors of pictures as a classifier would: for tools that run a model's graph themselves.
package struct PictureInputs: Sendable {
  package let preprocessor: Preprocessor
  private let limits = ImageLimits()
  private let options = ImageOptions()

  /// - Parameters:
  ///   - file: of a model that takes one picture.
  ///   - requested: how pictures are prepared; nil for what the model's metadata say, as in ``ImageClassifier``.
  /// - Throws: ``ApusError`` when the model takes something else.
  package init(_ file: ModelFile, _ requested: PreprocessingProfile?) throws(ApusError) {
    let tensor = try file.metadata()?.subgraphs.first?.inputs.first
    let inputs = file.description.subgraphs[0].inputs.map { file.description.subgraphs[0].tensors[$0] }
    guard inputs.count == 1, let type = inputs[0].tensorType else {
      throw ApusError(
        .unsupportedModel, "the model has \(inputs.count) inputs", expected: "one picture", file: file.path)
    }
    preprocessor = try file.inFile { () throws(ApusError) in
      try Preprocessor(
        try InputRecipe.profile(requested: requested, sidecar: nil, tensor: tensor, input: type), input: type)
    }
  }

  /// The tensor of a picture file.
  /// - Throws: ``ApusError`` of kind `file` or `image` that names it.
  package func tensor(_ path: String) throws(ApusError) -> Tensor {
    let image = try Picture.file(path).decoded(limits: limits, options: options)
    return try naming(path) { () throws(ApusError) in try preprocessor.tensor(image) }
  }

  /// The tensor of a picture of one colour: each of red, green and blue at this byte.
  package func tensor(ofByte byte: UInt8) throws(ApusError) -> Tensor {
    let size = preprocessor.size
    let pixels = [UInt8](repeating: byte, count: size.width * size.height * RGBImage.channels)
    return try preprocessor.tensor(RGBImage(width: size.width, height: size.height, pixels: pixels))
  }
}
