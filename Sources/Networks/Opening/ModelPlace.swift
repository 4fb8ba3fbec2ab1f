import Formats
import TensorCore

/// Where the name of a model leads.
package enum ModelPlace: Sendable {
  /// The path of a `.tflite` file.
  case file(String)
  case folder(ModelFolder)

  /// - Parameter name: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError`` when it leads nowhere, or to a part of a model only.
  package init(_ name: String) throws(ApusError) {
    if name.hasSuffix(".safetensors") || name.hasSuffix(".safetensors.index.json") {
      throw ApusError(.argument, "a safetensors file", expected: "the folder that it is in", file: name)
    }
    let isFile = FileSystem.isFile(name) || (name.hasSuffix(".tflite") && !FileSystem.isFolder(name))
    self = isFile ? .file(name) : .folder(try ModelFolder(name))
  }
}
