import Apus
import Formats
import Kernels
import Networks

/// A model as the command names it: a file, a folder or a repository, and behind `@` how it is computed, where that
/// is not the usual way: `vit@int8`, `mobilenet.tflite@avx2`.
package struct ModelSpecification: Sendable, Hashable {
  package let name: String
  package let path: String
  /// Nil for the model's own.
  package private(set) var precision: Precision?
  /// The instruction set whose kernels are used, or one for each family, `integer=avx2,float=avx512`; nil for the
  /// fastest.
  package private(set) var instructionSet: String?

  /// What stands behind `@` belongs to the name when a file or folder is called so, or it names no precision and
  /// no instruction set: a repository's revision, say.
  package init(_ name: String) {
    self.name = name
    var path = name
    while let mark = path.lastIndex(of: "@"), mark > path.startIndex, !FileSystem.isFile(path),
      !FileSystem.isFolder(path)
    {
      let word = path[path.index(after: mark)...].lowercased()
      if let precision = Precision.named(word) {
        self.precision = precision
      } else if KernelChoice.isChoice(word) {
        instructionSet = word
      } else {
        break
      }
      path = String(path[..<mark])
    }
    self.path = path
  }

  /// How the model is computed by `threads` threads.
  func inference(threads: Int?) -> InferenceOptions {
    var options = InferenceOptions(precision: precision, threads: threads)
    options.instructionSet = instructionSet
    return options
  }
}
