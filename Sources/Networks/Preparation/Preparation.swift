import Formats
import Images
import Models
import TensorCore

/// How the inputs of a model are prepared: one recipe for all who feed it.
package struct Preparation: Sendable {
  /// The preparation of texts before they are tokenized.
  package let texts: TextPreparation
  /// Notes for people on how the model's configuration was read.
  package let notes: [String]
  let companions: CompanionFiles
  private let path: String
  /// The model's own profile of pictures for an input.
  private let stated: @Sendable (TensorType) throws(ApusError) -> PreprocessingProfile
  /// The description of a file's first input; nil for a folder, whose configuration states the size of pictures.
  private let described: @Sendable () throws(ApusError) -> TensorDescription?

  /// - Parameters:
  ///   - path: the file or folder.
  ///   - described: what a file describes as its first input.
  ///   - profile: what the model itself says of pictures for an input.
  init(
    path: String, texts: TextPreparation = TextPreparation(), notes: [String] = [],
    companions: CompanionFiles,
    described: @escaping @Sendable () throws(ApusError) -> TensorDescription? = { nil },
    profile: @escaping @Sendable (TensorType) throws(ApusError) -> PreprocessingProfile
  ) {
    (self.path, self.texts, self.notes) = (path, texts, notes)
    self.companions = companions
    self.described = described
    stated = profile
  }

  /// How pictures become an input: as asked; else by the profile that `meta.json` names; else as the model says.
  /// - Parameters:
  ///   - metadata: the path of a `meta.json`; nil for the one beside the model, if it fits the input.
  /// - Throws: ``ApusError`` of kind `configuration` when nobody says, or what is said is damaged or does not fit
  ///   the input; of kind `unsupportedModel` when the input is no picture.
  package func pictures(
    for input: TensorType, requested: PreprocessingProfile? = nil, metadata path: String? = nil
  ) throws(ApusError) -> PicturePreparation {
    let read = try self.metadata(path, for: input)
    let metadata = read.content
    var named = requested
    if named == nil { named = try metadata?.profile(file: path ?? companions.metadataPath) }
    return try naming(self.path) { () throws(ApusError) in
      try requireSize(of: input)
      let profile = if let named { named } else { try stated(input) }
      let preprocessor = try Preprocessor(profile, input: input)
      let size = [preprocessor.size.height, preprocessor.size.width]
      if let asked = metadata?.inputSize, asked != size {
        throw ApusError(
          .configuration, "input_size is \(asked)", expected: "\(size), as in the model", file: path,
          advice: "The metadata belong to another model.")
      }
      let own = preprocessor.channels
      if let asked = metadata?.inputChannels, asked != own {
        throw ApusError(
          .configuration, "input_size has \(asked) channels", expected: "\(own), as in the model", file: path,
          advice: "The metadata belong to another model.")
      }
      return PicturePreparation(
        preprocessor: preprocessor, metadata: metadata, metadataPath: path ?? companions.metadataPath,
        notes: notes + read.notes)
    }
  }

  /// Refuses a picture of which a file says no size: 1 stands where it leaves one open.
  private func requireSize(of input: TensorType) throws(ApusError) {
    guard let described = try described(), described.shape == input.shape, described.extents.count == 4,
      described.extents[1...2].contains(where: { $0.isFree && $0.stated == 1 })
    else { return }
    throw ApusError(
      .unsupportedModel, "the file leaves the size of pictures open", expected: "a height and a width",
      at: "input '\(described.name)'",
      advice:
        "Convert the model with a shape such as [1, 224, 224, 3], or state default_size in its metadata.")
  }

  /// How the pictures of a model are prepared, weights or none: by the profile of a folder's `meta.json`, else by its
  /// image processor; of a file by what its input shows.
  /// - Parameter model: a `.tflite` or `.onnx` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError`` of kind `configuration` when nothing says it; of kind `unsupportedModel` when the model
  ///   takes no picture.
  package static func imageProcessor(_ model: String) throws(ApusError) -> ImageProcessor {
    switch try ModelPlace(model) {
    case .file(let path):
      let opened = OpenedModel(try ModelPlace.form(ofFile: path))
      let inputs = try opened.networks[0].inputs()
      guard inputs.count == 1 else {
        throw ApusError(
          .unsupportedModel, "the model has \(inputs.count) inputs", expected: "one picture", file: path)
      }
      let preprocessor = try opened.preparation.pictures(for: inputs[0].type).preprocessor
      return ImageProcessor(profile: preprocessor.profile, size: preprocessor.size)
    case .folder(let folder):
      let companions = CompanionFiles(in: folder.path)
      let named = try companions.metadata().content?.profile(file: companions.metadataPath)
      let stated = try naming(folder.path) { () throws(ApusError) in try ImageProcessor.stated(in: folder) }
      return named.map { ImageProcessor(profile: $0, size: stated.size) } ?? stated
    }
  }

  /// What the `meta.json` beside a model of texts says; and why it is passed over, where it is, after what people should
  /// know of the model.
  /// - Throws: ``ApusError`` of kind `configuration` for a file that is damaged.
  package func textMetadata() throws(ApusError) -> Noted<ClassifierMetadata?> {
    let beside = try companions.metadata()
    return Noted(beside.content, notes + beside.notes)
  }

  /// What a `meta.json` says, and why the one beside the model is passed over, where it is.
  /// - Parameter path: of the file; nil for the one beside the model, if it fits the input.
  /// - Throws: ``ApusError`` of kind `configuration` for a file that is damaged.
  package func metadata(
    _ path: String? = nil, for input: TensorType
  ) throws(ApusError) -> Noted<ClassifierMetadata?> {
    guard let path else { return try companions.metadata(for: input) }
    return Noted(try ClassifierMetadata(contentsOf: path))
  }
}

/// How pictures become one input of a model.
package struct PicturePreparation: Sendable {
  package let preprocessor: Preprocessor
  /// The content of `meta.json`; nil if there is none that fits.
  package let metadata: ClassifierMetadata?
  /// Where it is, or would be.
  package let metadataPath: String
  /// Notes for people on the model, and on a `meta.json` beside it that was ignored.
  package let notes: [String]

  /// The tensor of a picture file.
  /// - Throws: ``ApusError`` of kind `file` or `image` that names it.
  package func tensor(_ path: String) throws(ApusError) -> Tensor {
    let options = ImageOptions.standard.prepared(for: preprocessor.profile)
    let image = try ImageDecoder.decode(contentsOf: path, limits: .standard, options: options).image
    return try naming(path) { () throws(ApusError) in try preprocessor.tensor(image) }
  }

  /// The tensor of a picture of one colour: each of red, green and blue at this byte.
  package func tensor(ofByte byte: UInt8) throws(ApusError) -> Tensor {
    let size = preprocessor.size
    let pixels = [UInt8](repeating: byte, count: size.width * size.height * RGBImage.channels)
    return try preprocessor.tensor(RGBImage(width: size.width, height: size.height, pixels: pixels))
  }
}

extension ImageProcessor {
  /// The image processor that a folder states.
  /// - Throws: ``ApusError`` of kind `configuration` if it states none.
  fileprivate static func stated(in folder: ModelFolder) throws(ApusError) -> ImageProcessor {
    if let processor = try find(in: folder) { return processor }
    throw ApusError(
      .configuration, "nothing says how pictures are prepared", expected: "a preprocessor_config.json",
      advice: "Or name a profile with \(Setting.preprocessing): "
        + "\(PreprocessingProfile.all.map(\.name).joined(separator: ", ")).")
  }

  /// The folder's profile for an input.
  /// - Throws: ``ApusError`` of kind `configuration` if it has none, or one for pictures of another size.
  static func profile(
    in folder: ModelFolder, for input: TensorType
  ) throws(ApusError) -> PreprocessingProfile {
    let processor = try stated(in: folder)
    let extents = input.shape.dimensions.dropFirst().prefix(2)
    if let size = processor.size, !extents.elementsEqual([size.height, size.width]) {
      throw ApusError(
        .configuration, "pictures are prepared at \(size.height)×\(size.width)",
        expected: "\(extents.map(String.init).joined(separator: "×")), which the model takes")
    }
    return processor.profile
  }
}
