import Formats
import Images
import TensorCore

extension DataSet {
  /// A folder with a folder for each class; or with pictures, named by synset or by anything.
  init(folder: String, table: ClassTable?) throws(ApusError) {
    // Folders whose names begin with a full stop are hidden.
    var pictures: [(folder: String, paths: [String])] = []
    for name in try FileSystem.entries(of: folder)
    where !name.hasPrefix(".") && FileSystem.isFolder("\(folder)/\(name)") {
      let paths = try PictureFiles.paths(below: "\(folder)/\(name)")
      if !paths.isEmpty { pictures.append((name, paths)) }
    }
    let folders = pictures.map(\.folder)
    // One folder of pictures beside a list of classes is no class.
    let (place, table) = try Self.pictures(in: folder, folders: folders, table: table)
    if let place {
      self = try DataSet(flat: place, named: folder, table: table)
      return
    }
    let items = pictures.flatMap { name, paths in
      paths.map { Item(content: .picture("\(folder)/\(name)/\($0)"), label: name) }
    }
    self.init(path: folder, form: .folderPerClass, items: items, table: table)
  }

  /// The folder in which pictures lie without one for each class, and the classes; nil when there is one for each.
  private static func pictures(
    in folder: String, folders: [String], table: ClassTable?
  ) throws(ApusError) -> (folder: String?, table: ClassTable?) {
    let own = PictureFiles.names(in: folder)
    guard own.isEmpty || folders.isEmpty else {
      throw ApusError(
        .file, "has pictures (\(own[0])) beside folders of pictures (\(folders[0]))",
        expected: "a folder for each class, or pictures alone", file: folder)
    }
    if own.isEmpty, folders.isEmpty { throw PictureFiles.absent(in: folder) }
    let place = folders.isEmpty ? folder : folders.count == 1 ? "\(folder)/\(folders[0])" : nil
    guard let place else { return (nil, table) }
    let names = PictureFiles.names(in: place)
    guard !names.isEmpty, names.allSatisfy({ synset(of: $0) != nil }) else {
      return (folders.isEmpty ? folder : nil, table)
    }
    if let table { return (place, table) }
    let parent = FileName.folder(of: place)
    let beside = [place, parent.isEmpty ? "." : parent].map { "\($0)/classes.tsv" }
      .first(where: FileSystem.isFile)
    return (place, try beside.map { (path) throws(ApusError) in try ClassTable(contentsOf: path) })
  }

  private init(flat place: String, named folder: String, table: ClassTable?) throws(ApusError) {
    let names = PictureFiles.names(in: place)
    let isNamed = table != nil && names.allSatisfy { Self.synset(of: $0) != nil }
    let items = names.map {
      Item(content: .picture("\(place)/\($0)"), label: isNamed ? Self.synset(of: $0) : nil)
    }
    self.init(path: folder, form: isNamed ? .synsetNames : .pictures, items: items, table: table)
  }

  /// The synset that a file's name begins with: `n01440764_tench.jpg`.
  private static func synset(of name: String) -> String? {
    let start = name.prefix(9)
    guard ClassTable.isSynset(start), name.dropFirst(9).first.map({ !$0.isNumber }) ?? false else {
      return nil
    }
    return String(start)
  }
}
