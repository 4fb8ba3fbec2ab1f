import TensorCore

/// The files beside a `.tflite` file that say how it is used, brought to its quantized form.
struct CompanionCopies {
  /// Files that were copied.
  private(set) var copied: [String] = []
  /// Files that were not: others of their names are there.
  private(set) var leftOut: [String] = []

  private static let names = ["labels.json", "labels.txt", "meta.json", "rejection.apus"]
  private static let byteLimit = 1 << 24

  /// - Parameters:
  ///   - source: the file that was read.
  ///   - output: the file that was written.
  /// - Throws: ``ApusError`` of kind `file` when one cannot be read or written.
  init(from source: String, to output: String) throws(ApusError) {
    let (from, to) = (Self.folder(source), Self.folder(output))
    guard FileSystem.resolved(from) != FileSystem.resolved(to) else { return }
    for name in Self.names where FileSystem.isFile("\(from)/\(name)") {
      let bytes = try FileBytes.read("\(from)/\(name)", limit: Self.byteLimit)
      let target = "\(to)/\(name)"
      guard !FileSystem.exists(target) else {
        if (try? FileBytes.read(target, limit: Self.byteLimit)) != bytes { leftOut.append(name) }
        continue
      }
      let file = try NewFile(replacing: target)
      try file.write(bytes)
      try file.commit()
      copied.append(name)
    }
  }

  private static func folder(_ path: String) -> String {
    let folder = FileName.folder(of: path)
    return folder.isEmpty ? "." : folder
  }
}
