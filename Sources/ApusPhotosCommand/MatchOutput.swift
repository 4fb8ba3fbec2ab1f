import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

/// How photographs that were found are printed.
struct MatchOutput: ParsableArguments {
  @Flag(help: "Print only the paths.")
  var paths = false

  @Flag(name: [.customShort("0"), .long], help: "With --paths: end paths with a zero byte, for xargs -0.")
  var null = false

  @Flag(help: "Print one JSON object per photograph, one per line.")
  var json = false

  @Option(help: ArgumentHelp("Also write an HTML page with the photographs.", valueName: "file"))
  var html: String?

  func validate() throws {
    if null, !paths { throw ValidationError("-0 needs --paths.") }
    if paths, json { throw ValidationError("--paths and --json: choose one.") }
  }

  /// - Parameters:
  ///   - query: what was looked for, in words.
  ///   - facts: how it was found, for a page.
  func print(
    _ photos: [FoundPhoto], query: [String], facts: [(name: String, value: String)]
  ) throws(ApusError) {
    if json {
      for photo in photos { StandardStreams.print(Self.record(photo)) }
    } else if paths {
      for photo in photos { printPath(photo.paths[0]) }
    } else {
      printTable(photos)
    }
    if let html {
      try OutputFile.write(Array(ContactSheet(photos, query: query, facts).html().utf8), to: html)
    }
  }

  private func printPath(_ path: String) {
    StandardStreams.printBytes(FileName.bytes(path) + [null ? 0 : UInt8(ascii: "\n")])
  }

  private func printTable(_ photos: [FoundPhoto]) {
    guard !photos.isEmpty else { return }
    let scores: [(String, Table.Alignment)] = photos[0].score == nil ? [] : [("score", .right)]
    var table = Table(scores + [("taken", .left), ("", .left)])
    for found in photos {
      let copies = found.paths.count > 1 ? " (and \(found.paths.count - 1) of the same bytes)" : ""
      table.append(
        (found.score.map { [Format.decimal(Double($0), 3)] } ?? []) + [
          found.photo.taken.map { String($0.prefix(16)) } ?? "", found.paths[0] + copies,
        ])
    }
    table.print()
  }

  private static func record(_ found: FoundPhoto) -> JSON {
    let (photo, paths) = (found.photo, found.paths)
    var members: [JSON.Member] = found.score.map { [("score", .float($0))] } ?? []
    members += JSON.file(paths[0])
    members += JSON.copies(paths.dropFirst())
    members += [("bytes", .integer(photo.byteCount)), ("format", photo.format.map(JSON.string) ?? .null)]
    members += [
      ("width", photo.width.map(JSON.integer) ?? .null), ("height", photo.height.map(JSON.integer) ?? .null),
    ]
    if let taken = photo.taken { members.append(("taken", .string(taken))) }
    if let zone = photo.zone { members.append(("zone_seconds", .integer(zone))) }
    if let camera = photo.camera { members.append(("camera", .string(camera))) }
    if let latitude = photo.latitude, let longitude = photo.longitude {
      members += [("latitude", .number(latitude)), ("longitude", .number(longitude))]
    }
    return .object(members + [JSON.madeBy])
  }
}
