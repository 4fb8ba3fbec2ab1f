import Images
import TensorCore

/// The pictures that a model is calibrated with.
struct CalibrationPictures {
  let known: DataSet
  /// Paths.
  let foreign: [String]
  /// The kind of each: the folder of the foreign ones that it lies below; empty where it lies in none.
  let foreignKinds: [String]
  private let options: CalibrationOptions

  /// By fewer pictures nothing of how they scatter is told.
  static let leastCount = 10

  /// - Throws: ``ApusError``: kind `file` or `configuration` for the data, the latter for too few of them.
  init(_ options: CalibrationOptions) throws(ApusError) {
    self.options = options
    known = try DataSet(options.data, kind: .pictures)
    try Self.check(known.items.count, "known picture", of: options.data)
    guard let folder = options.foreign else {
      (foreign, foreignKinds) = ([], [])
      return
    }
    guard FileSystem.isFolder(folder) else {
      throw ApusError(
        .file, FileSystem.exists(folder) ? "is a file" : "is not there",
        expected: "a folder of foreign pictures",
        file: folder)
    }
    let names = try PictureFiles.paths(below: folder)
    foreign = names.map { "\(folder)/\($0)" }
    foreignKinds = names.map { name in
      name.firstIndex(of: "/").map { String(name[..<$0]) } ?? ""
    }
    if foreign.isEmpty { throw PictureFiles.absent(in: folder) }
    try Self.check(foreign.count, "foreign picture", of: folder)
  }

  private static func check(_ count: Int, _ what: String, of path: String) throws(ApusError) {
    guard count < leastCount else { return }
    throw ApusError(.configuration, count.counted(what), expected: "\(leastCount) at least", file: path)
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
      knownReadings.append(try read(picture(item.content), item.label))
      progress(knownReadings.count, total)
    }
    for path in foreign {
      foreignReadings.append(try read(picture(.picture(path)), nil))
      progress(knownReadings.count + foreignReadings.count, total)
    }
    return (knownReadings, foreignReadings)
  }

  /// - Parameters:
  ///   - features: of the known pictures, by which a rejection is to be fitted; may be empty.
  ///   - kinds: what each of them shows.
  ///   - foreignFeatures: of the foreign ones.
  /// - Throws: ``ApusError`` of kind `configuration` where pictures are copies of each other, which do not scatter. Where
  ///   no two known ones show the same, no rejection is fitted, and nothing is asked of them.
  func checkScatter(
    of features: [[Float]], _ kinds: [Int?], foreign foreignFeatures: [[Float]]
  ) throws(ApusError) {
    guard features.allSatisfy({ !$0.isEmpty }) else { return }
    if let folder = options.foreign, Set(foreignFeatures).count == 1 {
      throw Self.copies("foreign pictures", of: folder)
    }
    let members = Dictionary(grouping: features.indices) { kinds[$0] }
    guard members.values.contains(where: { $0.count > 1 }) else { return }
    guard members.values.contains(where: { places in Set(places.map { features[$0] }).count > 1 }) else {
      throw Self.copies("pictures", of: options.data)
    }
  }

  private static func copies(_ what: String, of path: String) -> ApusError {
    ApusError(.configuration, "\(what) that are all the same", expected: "some that differ", file: path)
  }

  private func picture(_ content: SampleReport.Content) throws(ApusError) -> RGBImage {
    let sample = try Sample(content, transparency: options.transparency)
    guard case .picture(let image) = sample else { throw Sample.refusal("a picture") }
    return image
  }
}
