import Evaluation
import Images
import TensorCore

/// The samples of a folder, or of one file, that calibration can use, in order.
struct CalibrationFolder {
  /// The folder, or the file's folder.
  let path: String
  /// The path that the caller gave.
  let place: String
  /// Paths below the folder, sorted.
  private(set) var pictures: [String] = []
  private(set) var tensors: [String] = []
  /// Paths of `.txt` and `.tsv` files below the folder, sorted.
  private var lists: [String] = []

  /// Samples that are used, at most: of more files those at equal distances.
  static let limit = 512

  /// - Throws: ``ApusError`` of kind `file` when it cannot be read or nothing in it is of use.
  init(_ place: String) throws(ApusError) {
    self.place = place
    let names: [String]
    if FileSystem.isFolder(place) {
      path = place
      names = try FileSystem.paths(below: place)
    } else {
      guard FileSystem.isFile(place) else {
        throw ApusError(
          .file, "is not there", expected: "a folder or file with samples to calibrate with", file: place)
      }
      let parent = FileName.folder(of: place)
      path = parent.isEmpty ? "." : parent
      names = [FileName.last(of: place)]
    }
    for name in names { add(name) }
    guard !pictures.isEmpty || !tensors.isEmpty || !lists.isEmpty else {
      throw ApusError(
        .file, "nothing to calibrate with",
        expected: "pictures, .npy files, or .txt or .tsv files with a text on each line",
        file: place)
    }
    pictures = Self.spread(pictures, limit: Self.limit)
  }

  private mutating func add(_ name: String) {
    switch FileName.ending(of: name) {
    case "npy": tensors.append(name)
    case "txt", "tsv": lists.append(name)
    case _ where PictureFiles.isPicture(name): pictures.append(name)
    default: break
    }
  }

  /// The texts of `.txt` and `.tsv` files, read as those of labelled samples are: without labels and names of columns.
  /// - Throws: ``ApusError``: kind `file`, or `configuration` with the line that makes no sense.
  func texts() throws(ApusError) -> [String] {
    var texts: [String] = []
    for list in lists { texts += try DataSet("\(path)/\(list)", kind: .texts).items.map(\.name) }
    return Self.spread(texts, limit: Self.limit)
  }

  /// So many of the items, at equal distances.
  static func spread(_ items: [String], limit: Int) -> [String] {
    guard items.count > limit else { return items }
    return (0..<limit).map { items[$0 * items.count / limit] }
  }
}
