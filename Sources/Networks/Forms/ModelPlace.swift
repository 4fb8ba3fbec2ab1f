import Formats
import Graph
import Models
import TensorCore

/// Where the name of a model leads.
package enum ModelPlace: Sendable {
  /// The path of a `.tflite` or `.onnx` file.
  case file(String)
  case folder(ModelFolder)

  /// - Parameter name: a `.tflite` or `.onnx` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError`` when it leads nowhere, or to a part of a model only.
  package init(_ name: String) throws(ApusError) {
    if name.hasSuffix(".safetensors") || name.hasSuffix(".safetensors.index.json") {
      throw ApusError(.argument, "a safetensors file", expected: "the folder that it is in", file: name)
    }
    if CheckpointFile.isCheckpoint(name) {
      throw ApusError(.argument, "a checkpoint of PyTorch", expected: "the folder that it is in", file: name)
    }
    let isFile = FileSystem.isFile(name) || (Self.hasEnding(name) && !FileSystem.isFolder(name))
    do throws(ApusError) {
      self = isFile ? .file(name) : .folder(try ModelFolder(name))
    } catch {
      throw Self.precisionBehind(name) ?? error
    }
  }

  /// Whether there is anything where a file is said to be.
  package var isThere: Bool {
    if case .file(let path) = self { FileSystem.exists(path) } else { true }
  }

  package var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// Whether a name means a model file: by its content, or by its ending if it does not exist.
  package static func isModelFile(_ name: String) -> Bool {
    TFLiteLoader.isModel(name) || ONNXLoader.isModel(name)
      || (hasEnding(name) && !FileSystem.isFolder(name))
  }

  /// Whether a name has the ending of a model file.
  package static func hasEnding(_ name: String) -> Bool {
    ["tflite", "onnx"].contains(ExactText(FileName.ending(of: name)))
  }

  /// The form of a model file: by its content, or by its ending if that is no model.
  /// - Throws: ``ApusError`` with the file's name: it cannot be read, or its bytes break the rules of its format.
  package static func form(ofFile path: String) throws(ApusError) -> any ModelForm {
    let ending = ExactText(FileName.ending(of: path))
    // A TensorFlow model, which is named so, begins as ONNX does.
    let isONNX =
      !TFLiteLoader.isModel(path)
      && (ending == "onnx" || ending != "pb" && ONNXLoader.isModel(path))
    return isONNX ? try ONNXForm(path) : try TFLiteForm(path)
  }

  /// An error for a name with a precision behind it, as in `apus compare`; nil for any other.
  private static func precisionBehind(_ name: String) -> ApusError? {
    guard let mark = name.lastIndex(of: "@"),
      let precision = Precision(rawValue: String(name[name.index(after: mark)...]))
    else { return nil }
    let folder = String(name[..<mark])
    guard FileSystem.isFolder(folder) else { return nil }
    return ApusError(
      .file, "is no folder", expected: "\(folder.clipped), which is one", file: name,
      advice: "Give the precision apart: \(Setting.precision.given(precision.shortName)).")
  }
}
