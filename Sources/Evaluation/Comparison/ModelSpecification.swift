import Apus
import Formats
import Kernels
import Networks

/// A model as the command names it: a file, a folder or a repository, and behind `@` how it is computed, where that
/// is not the usual way: `vit@int8`, `mobilenet.tflite@avx2`, `vit-onnx@variant=quantized`.
package struct ModelSpecification: Sendable, Hashable {
  package let name: String
  package let path: String
  /// Nil for the model's own.
  package private(set) var precision: Precision?
  /// The instruction set whose kernels are used, or one for each family, `integer=avx2,float=avx512`; nil for the
  /// fastest.
  package private(set) var instructionSet: String?
  /// The variant of the ONNX files in a folder; nil for its other weights, or the plain files.
  package private(set) var variant: String?

  /// What stands behind `@` belongs to the name when a file or folder is called so, or it names no precision and
  /// no instruction set: a repository's revision, say.
  package init(_ name: String) {
    self.name = name
    var path = name
    while let mark = path.lastIndex(of: "@"), mark > path.startIndex, !FileSystem.isFile(path),
      !FileSystem.isFolder(path)
    {
      let written = path[path.index(after: mark)...]
      let word = written.lowercased()
      if word.hasPrefix(Self.variantMark) {
        variant = String(written.dropFirst(Self.variantMark.count))
      } else if let precision = Precision(rawValue: word) {
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

  private static let variantMark = "variant="

  /// The error where something is called like the path without its last `@` and what stands behind it, which then names
  /// no way of computing; nil elsewhere.
  var unknownSuffix: ApusError? {
    guard !FileSystem.exists(path), let mark = path.lastIndex(of: "@"), mark > path.startIndex,
      FileSystem.exists(String(path[..<mark]))
    else { return nil }
    let sets = InstructionSet.ofThisArchitecture.map { "@\($0.rawValue)" }.joined(separator: ", ")
    return ApusError(
      .argument, "'\(path[mark...])' is no precision and no instruction set",
      expected: "@f32, @bf16 or @int8, one of \(sets), and @\(Self.variantMark)NAME", file: name)
  }

  /// How the model is computed by `threads` threads.
  func inference(threads: Int?) -> InferenceOptions {
    var options = InferenceOptions(precision: precision, threads: threads, variant: variant)
    options.instructionSet = instructionSet
    return options
  }
}
