import TensorCore

/// The `.onnx` files of a model folder, as optimum, transformers.js and sentence-transformers lay them out: `model.onnx`, or
/// `vision_model.onnx` and `text_model.onnx`, here or in the folder `onnx`, each in several variants such as
/// `model_int8.onnx`.
package struct ONNXFiles: Sendable {
  /// The network in a file.
  package enum Part: String, Sendable, CaseIterable {
    /// All that the model has.
    case model
    case image = "vision_model"
    case text = "text_model"
  }

  private struct File {
    let part: Part
    /// What stands behind the name of the part and an underscore; empty of the plain one.
    let variant: ExactText
    let path: String
  }

  private let files: [File]
  private let folder: String

  package init(in folder: ModelFolder) {
    self.folder = folder.path
    var files: [File] = []
    for place in ["\(folder.path)/onnx", folder.path, "\(folder.outer.path)/onnx", folder.outer.path] {
      for name in FileSystem.names(in: place) ?? [] where name.hasSuffix(".onnx") {
        guard let (part, variant) = Self.reading(name),
          !files.contains(where: { $0.part == part && $0.variant == variant })
        else { continue }
        files.append(File(part: part, variant: variant, path: "\(place)/\(name)"))
      }
    }
    self.files = files
  }

  private static func reading(_ name: String) -> (Part, ExactText)? {
    let stem = name.dropLast(".onnx".count)
    for part in Part.allCases {
      if stem.utf8.elementsEqual(part.rawValue.utf8) { return (part, "") }
      let beginning = part.rawValue + "_"
      if stem.utf8.starts(with: beginning.utf8) {
        return (part, ExactText(String(stem.dropFirst(beginning.count))))
      }
    }
    return nil
  }

  package var isEmpty: Bool { files.isEmpty }

  private static let plainName: ExactText = "fp32"

  /// What can be chosen: what stands in the names of files, and `fp32` for those with nothing.
  package var variants: [String] {
    Set(files.map { $0.variant == "" ? Self.plainName : $0.variant }).sorted().map(\.text)
  }

  /// The files of a variant, by their part.
  /// - Parameter variant: nil for the plain files, or the only ones.
  /// - Throws: ``ApusError`` of kind `argument` that lists the variants, when there is none of that name or one has to be
  ///   chosen.
  package func paths(of variant: String?) throws(ApusError) -> [Part: String] {
    let chosen = try chosen(variant)
    let found = files.filter { $0.variant == chosen }
    return Dictionary(found.map { ($0.part, $0.path) }, uniquingKeysWith: { first, _ in first })
  }

  private func chosen(_ variant: String?) throws(ApusError) -> ExactText {
    let names = Set(files.map(\.variant))
    guard let variant else {
      if names.contains("") { return "" }
      if names.count == 1, let only = names.first { return only }
      throw refusal("it has several ONNX files and none was chosen")
    }
    let asked = ExactText(variant)
    if names.contains(asked) { return asked }
    if Self.plain.contains(asked), names.contains("") { return "" }
    for beginning in Self.beginnings[asked] ?? [] {
      if let name = names.sorted().last(where: { $0.text.utf8.starts(with: beginning.utf8) }) { return name }
    }
    throw refusal("no variant '\(variant.clipped)' of its ONNX files")
  }

  private func refusal(_ problem: String) -> ApusError {
    guard !files.isEmpty else {
      return ApusError(
        .argument, "the folder has no ONNX files", expected: "model.onnx, or one in the folder onnx",
        file: folder)
    }
    return ApusError(
      .argument, problem, expected: "one of \(variants.map(\.clipped).joined(separator: ", "))", file: folder,
      advice: "Name one: \(Setting.variant).")
  }

  private static let plain: Set<ExactText> = ["fp32", "f32", "float32"]

  /// How libraries name files of numbers of a kind, those for most processors first.
  private static let beginnings: [ExactText: [String]] = [
    "fp16": ["float16"], "f16": ["fp16", "float16"], "float16": ["fp16"],
    "int8": ["quantized", "qint8_avx512_vnni", "qint8"], "uint8": ["quint8"], "q8": ["quantized"],
  ]
}
