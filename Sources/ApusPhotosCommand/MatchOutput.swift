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

  func print(
    _ matches: [PhotoMatch], query: [String], filter: PhotoFilter, _ searcher: PhotoSearcher
  ) throws(ApusError) {
    if matches.isEmpty {
      StandardStreams.report(
        try searcher.leavesNone(filter)
          ? "apus: there is no photograph as --since, --until, --in, --camera, --near, --larger-than or --kind ask for"
          : "apus: nothing is like that")
    }
    if json {
      for match in matches { StandardStreams.print(Self.record(match)) }
    } else if paths {
      for match in matches { printPath(match.pathsAtHand[0]) }
    } else {
      printTable(matches)
    }
    if let html {
      try OutputFile.write(Array(ContactSheet(matches, query: query, searcher).html().utf8), to: html)
    }
  }

  private func printPath(_ path: String) {
    StandardStreams.printBytes(FileName.bytes(path) + [null ? 0 : UInt8(ascii: "\n")])
  }

  private func printTable(_ matches: [PhotoMatch]) {
    guard !matches.isEmpty else { return }
    var table = Table([("score", .right), ("taken", .left), ("", .left)])
    for match in matches {
      let copies = match.paths.count > 1 ? " (and \(match.paths.count - 1) of the same bytes)" : ""
      table.append([
        Format.decimal(Double(match.score), 3), match.photo.taken.map { String($0.prefix(16)) } ?? "",
        match.pathsAtHand[0] + copies,
      ])
    }
    table.print()
  }

  private static func record(_ match: PhotoMatch) -> JSON {
    let (photo, paths) = (match.photo, match.pathsAtHand)
    var members: [JSON.Member] = [("score", .float(match.score))] + JSON.file(paths[0])
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
