import Formats
import Models
import TensorCore

/// A `.tflite` file that was read and verified.
package struct ModelFile: Sendable {
  package let path: String
  package let importer: TFLiteImporter

  package var description: TFLiteModel { importer.model }

  /// - Throws: ``ApusError`` with the file's name: it cannot be read, or its bytes break TFLite's rules.
  package init(_ path: String) throws(ApusError) {
    do throws(ApusError) {
      importer = try TFLiteLoader.load(path)
    } catch {
      throw Self.advised(error, path)
    }
    self.path = path
  }

  /// Whether a name is that of such a file: by what is in it, or by its ending, which also one has that is not there.
  package static func isNamed(by name: String) -> Bool {
    TFLiteLoader.isModel(name) || (FileName.ending(of: name) == "tflite" && !FileSystem.isFolder(name))
  }

  /// Of a file that is named as others are: what to give in its place.
  private static func advised(_ error: ApusError, _ path: String) -> ApusError {
    guard error.kind == .malformedModel, error.advice == nil else { return error }
    var error = error
    switch FileName.ending(of: path) {
    case "json", "txt", "model": error.advice = "A model of several files is named by their folder."
    case "onnx", "pt", "pth", "bin", "ckpt", "h5", "keras", "pb", "gguf", "mlmodel":
      error.advice = "Apus runs .tflite files, and folders with safetensors."
    default: break
    }
    return error
  }

  /// What the file says of itself; nil when it says nothing.
  func metadata() throws(ApusError) -> TFLiteMetadata? {
    try naming(path) { () throws(ApusError) in try TFLiteMetadata(of: description) }
  }

  /// The names of the classes in it.
  func labels(ofOutput output: Int) throws(ApusError) -> LabelFile? {
    let metadata = try metadata()
    return try naming(path) { () throws(ApusError) in
      try metadata?.labels(ofOutput: output, of: description)
    }
  }

  /// What its metadata make of the scores of classes; nil when they leave them as they are.
  func scoreCalibration(ofOutput output: Int) throws(ApusError) -> ScoreCalibration? {
    let metadata = try metadata()
    return try naming(path) { () throws(ApusError) in
      try metadata?.scoreCalibration(ofOutput: output, of: description)
    }
  }
}
