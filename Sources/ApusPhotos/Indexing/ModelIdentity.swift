import Formats
import Kernels
import TensorCore

/// The identity of a model in an index, made from its files: equal files give equal vectors, wherever they are. If a list
/// of modules names a folder inside, only that folder's files count: files beside the list belong to other modules, or say
/// how texts are read, which each search does again.
struct ModelIdentity {
  /// The endings of files that a model is made of; pages and pictures beside them change no vector.
  private static let endings: Set<String> = ["json", "safetensors", "txt", "model", "tflite"]

  /// Whether a file may have weights of a model that has no `.safetensors` file: PyTorch's checkpoints, ONNX files, and the data
  /// beside them.
  private static func mayHaveWeights(_ name: String) -> Bool {
    let ending = FileName.ending(of: name)
    return ["bin", "pt", "pth", "onnx", "data"].contains(ending) || ending.hasPrefix("onnx_data")
  }

  /// The files, by their paths from the model's folder.
  private let files: [(name: String, path: String)]

  /// - Parameter path: of the model's folder, or of its `.tflite` file.
  init(_ path: String) {
    guard FileSystem.isFolder(path) else {
      files = [(FileName.last(of: path), path)]
      return
    }
    let folder = try? ModelFolder(path)
    let place = folder?.path ?? path
    var found: [(name: String, path: String)] = []
    let names = FileSystem.found(below: place).paths
    let hasSafetensors = names.contains { FileName.ending(of: $0) == "safetensors" }
    for name in names
    where Self.endings.contains(FileName.ending(of: name)) || !hasSafetensors && Self.mayHaveWeights(name) {
      found.append((name, "\(place)/\(name)"))
    }
    if let folder, Self.listChangesPictures(of: folder) {
      found.append(("../\(Self.list)", "\(folder.outer.path)/\(Self.list)"))
    }
    files = found
  }

  private static let list = "modules.json"

  /// Whether a list of modules around a model changes its vectors of pictures: a tower for pictures alone goes without its
  /// projection there, and a whole CLIP gives the same but for a length, which an index does not keep.
  private static func listChangesPictures(of folder: ModelFolder) -> Bool {
    guard folder.isInside else { return false }
    let type = try? folder.modelText("model_type")
    return type != "clip"
  }

  /// The digest of all bytes, and of what else makes vectors what they are.
  /// - Parameter facts: how pictures are prepared, decoded and computed.
  /// - Throws: ``ApusError`` of kind `file`.
  func digest(_ facts: [String]) throws(ApusError) -> ContentDigest {
    var digest = DigestBuilder()
    for fact in facts { digest.add(fact) }
    for (name, path) in files {
      digest.add(name)
      digest.add(try Self.digest(of: MappedFile(path)))
    }
    return digest.digest
  }

  /// A digest that changes whenever the files do, made without reading them.
  var stamp: ContentDigest {
    var stamp = DigestBuilder()
    for (name, path) in files {
      stamp.add(name)
      guard let version = FileSystem.version(of: path) else { continue }
      for fact in [version.device, version.inode, version.byteCount, version.modified, version.changed] {
        stamp.add(fact)
      }
    }
    return stamp.digest
  }

  private static func digest(of file: MappedFile) -> ContentDigest {
    withExtendedLifetime(file) {
      ContentDigest(
        UnsafeRawBufferPointer(start: file.storage.base, count: file.byteCount),
        threads: ThreadPool.shared.size)
    }
  }
}
