import CLibrary
import Formats
import TensorCore

/// Where a new model is written, and what may stand there already.
struct OutputPlace {
  private let path: String
  private let input: String

  /// - Parameter input: the model that is read.
  init(_ path: String, besides input: String) {
    self.path = path
    self.input = input
  }

  /// - Parameter replaces: whether a model that is there may be replaced. Nothing else ever is.
  /// - Throws: ``ApusError`` of kind `argument` when something stands there that is to stay, `file` when nothing can be made
  ///   there.
  func check(replaces: Bool) throws(ApusError) {
    let (output, source) = (Self.resolved(path), Self.resolved(input))
    guard output != source, !source.hasPrefix(output + "/") else {
      throw ApusError(
        .argument, "the output would replace the model that is read", expected: "another place", file: path)
    }
    try NewFile.check(replacing: path)
    guard FileSystem.exists(path) else { return }
    if FileSystem.isFolder(path) {
      let names = FileSystem.names(in: path) ?? [""]
      guard !names.isEmpty else { return }
      guard names.contains(where: { $0.hasSuffix(".safetensors") }) else {
        throw ApusError(
          .argument, "is a folder with other files in it", expected: "a new or empty folder", file: path)
      }
    } else if FileSystem.isFolder(input) {
      throw ApusError(.argument, "is a file", expected: "a new or empty folder", file: path)
    }
    guard replaces else {
      throw ApusError(
        .argument, "already exists", expected: "a new or empty place", file: path,
        advice: "To replace it, give \(Setting.replaces).")
    }
  }

  /// Checks the place of a file.
  func checkFile(replaces: Bool) throws(ApusError) {
    guard Self.resolved(path) != Self.resolved(input) else {
      throw ApusError(
        .argument, "the output would replace the model that is read", expected: "another place", file: path)
    }
    try NewFile.check(replacing: path)
    guard FileSystem.exists(path) else { return }
    guard FileSystem.isFile(path), path.hasSuffix(".tflite") else {
      throw ApusError(.argument, "is no TFLite file", expected: "a new file", file: path)
    }
    guard replaces else {
      throw ApusError(
        .argument, "already exists", expected: "a new file", file: path,
        advice: "To replace it, give \(Setting.replaces).")
    }
  }

  /// The path without links, as far as it is there.
  private static func resolved(_ path: String) -> String {
    if let resolved = FileSystem.resolved(path) { return resolved }
    var parts: [String] = []
    let absolute = path.utf8.first == UInt8(ascii: "/") ? path : "\(FileSystem.resolved(".") ?? "")/\(path)"
    for part in FileName.parts(of: absolute) where !part.isEmpty && part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    let plain = "/" + parts.joined(separator: "/")
    if let resolved = FileSystem.resolved(plain) { return resolved }
    let folder = FileSystem.resolved("/" + parts.dropLast().joined(separator: "/"))
    return folder.map { "\($0)/\(parts.last ?? "")" } ?? plain
  }
}
