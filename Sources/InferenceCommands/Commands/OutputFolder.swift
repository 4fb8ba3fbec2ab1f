import Apus
import CLibrary
import CommandSupport
import Formats

/// The folder into which `run` writes outputs.
enum OutputFolder {
  /// Writes `0.npy`, `1.npy`, … and `outputs.json`, in this order; files of these names are replaced.
  static func write(_ outputs: [Tensor], names: [String], to folder: String) throws(ApusError) {
    try FileSystem.makeFolder(folder)
    for (index, output) in outputs.enumerated() {
      try OutputFile.write(try Npy.bytes(output), to: path("\(index).npy", in: folder))
    }
    let text =
      JSON.array(descriptions(outputs, names: names, areWritten: true)).text(withFormerKeys: true) + "\n"
    try OutputFile.write(Array(text.utf8), to: path("outputs.json", in: folder))
  }

  /// Finds out whether files can be made in a folder, before the work that they are for; nothing is made or changed.
  /// - Parameter folder: nil where none is asked for; it need not be there yet.
  /// - Throws: ``ApusError`` of kind `file`.
  static func check(_ folder: String?) throws(ApusError) {
    guard var place = folder else { return }
    StandardStreams.goOnWithoutReader()
    guard !FileSystem.isFolder(place) else { return try OutputFile.check(path("outputs.json", in: place)) }
    // Folders that lead to it are made too: what counts is the last that is there.
    var missing = place
    while !FileSystem.exists(place) {
      missing = place
      let parent = FileName.folder(of: place)
      guard !parent.isEmpty else { break }
      place = parent
    }
    guard FileSystem.isFolder(place) || !FileSystem.exists(place) else {
      throw ApusError(.file, "cannot be created: \(String(cString: strerror(EEXIST)))", file: place)
    }
    try NewFile.check(replacing: missing)
  }

  /// Name, type and shape of each output, and the file it goes to, if any.
  static func descriptions(_ outputs: [Tensor], names: [String], areWritten: Bool) -> [JSON] {
    outputs.enumerated().map { index, output in
      let file = areWritten ? [("file", JSON.string("\(index).npy"))] : []
      return .object(file + TensorMembers.of(names[index], output.type))
    }
  }

  private static func path(_ name: String, in folder: String) -> String {
    "\(folder)/\(name)"
  }
}
