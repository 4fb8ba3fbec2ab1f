import Images
import TensorCore

/// The pictures that a model is calibrated with.
struct CalibrationPictures {
  let known: DataSet
  /// Paths.
  let foreign: [String]

  /// - Throws: ``ApusError``: kind `file` or `configuration` for the data.
  init(_ options: CalibrationOptions) throws(ApusError) {
    known = try DataSet(options.data, kind: .pictures)
    guard let folder = options.foreign else {
      foreign = []
      return
    }
    guard FileSystem.isFolder(folder) else {
      throw ApusError(
        .file, FileSystem.exists(folder) ? "is a file" : "is not there",
        expected: "a folder of foreign pictures",
        file: folder)
    }
    foreign = try PictureFiles.paths(below: folder).map { "\(folder)/\($0)" }
    if foreign.isEmpty { throw PictureFiles.absent(in: folder) }
  }

  /// What is read of each picture; of a known one its label is given.
  /// - Parameter progress: told of each picture.
  func map<Reading>(
    progress: (_ done: Int, _ total: Int) -> Void,
    _ read: (RGBImage, _ label: String?) throws(ApusError) -> Reading
  ) throws(ApusError) -> (known: [Reading], foreign: [Reading]) {
    let total = known.items.count + foreign.count
    var (knownReadings, foreignReadings): ([Reading], [Reading]) = ([], [])
    for item in known.items {
      knownReadings.append(try read(Self.picture(item.content), item.label))
      progress(knownReadings.count, total)
    }
    for path in foreign {
      foreignReadings.append(try read(Self.picture(.picture(path)), nil))
      progress(knownReadings.count + foreignReadings.count, total)
    }
    return (knownReadings, foreignReadings)
  }

  private static func picture(_ content: SampleReport.Content) throws(ApusError) -> RGBImage {
    guard case .picture(let image) = try Sample(content) else { throw Sample.refusal("a picture") }
    return image
  }
}
