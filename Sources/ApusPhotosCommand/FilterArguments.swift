import Apus
import ApusPhotos
import ArgumentParser

/// The options that say which photographs are looked at.
struct FilterArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Taken on or after this date: 2019, 2019-05 or 2019-05-31.", valueName: "date"))
  var since: String?

  @Option(
    help: ArgumentHelp("Taken on or before this date; a year or month counts to its end.", valueName: "date"))
  var until: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("In this folder or its subfolders; repeatable.", valueName: "folder"))
  var folders: [String] = []

  @Option(help: "Part of the camera's name.")
  var camera: String?

  @Option(
    help: ArgumentHelp(
      "Taken within this distance of a place: latitude, longitude, kilometres.", valueName: "lat,lon,km"))
  var near: String?

  @Option(
    help: ArgumentHelp("At least this large: 8MP (pixels), or 500kB or 2MB (bytes).", valueName: "size"))
  var largerThan: String?

  @Option(
    help: ArgumentHelp("Of this format, such as jpeg or heic; repeatable.", valueName: "format"))
  var kind: [String] = []

  /// - Throws: ``ApusError`` of kind `argument`.
  func filter() throws(ApusError) -> PhotoFilter {
    var filter = PhotoFilter(folders: folders, camera: camera)
    if let since { filter.since = try PhotoDate(since) }
    if let until { filter.until = try PhotoDate(until) }
    if let near { filter.near = try Self.circle(near) }
    if let largerThan { try Self.size(largerThan, &filter) }
    for name in kind { filter.formats.insert(try Self.format(name)) }
    return filter
  }

  private static func circle(_ text: String) throws(ApusError) -> PhotoFilter.Circle {
    do throws(ApusError) { return try PhotoFilter.Circle(text) } catch { throw error.at("--near") }
  }

  private static let units: [(name: String, isPixels: Bool, factor: Double)] = [
    ("mp", true, 1e6), ("kb", false, 1e3), ("mb", false, 1e6), ("gb", false, 1e9),
  ]

  private static func size(_ text: String, _ filter: inout PhotoFilter) throws(ApusError) {
    let small = text.lowercased()
    guard let unit = units.first(where: { small.hasSuffix($0.name) }),
      let number = Double(small.dropLast(unit.name.count)), (0...1e9).contains(number)
    else {
      throw ApusError(
        .argument, "--larger-than \(text)", expected: "pixels such as 8MP, or bytes such as 2MB")
    }
    let count = Int(number * unit.factor)
    if unit.isPixels { filter.pixels = count } else { filter.byteCount = count }
  }

  private static func format(_ name: String) throws(ApusError) -> ImageFormat {
    let small = name.lowercased()
    let wanted = ["jpg": "jpeg", "tif": "tiff"][small] ?? small
    guard let format = ImageFormat.allCases.first(where: { $0.rawValue.lowercased() == wanted }) else {
      throw ApusError(
        .argument, "--kind \(name)",
        expected: ImageFormat.allCases.filter(\.isKnown).map { $0.rawValue.lowercased() }.joined(
          separator: ", "))
    }
    return format
  }
}
