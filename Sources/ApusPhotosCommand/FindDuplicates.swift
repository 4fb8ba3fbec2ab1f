import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct FindDuplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "Names photographs that are there more than once, or are alike.",
    discussion: """
      Example: apus photos duplicates --level bytes --others -0 | xargs -0 rm -i

      Levels: bytes, the same bytes; picture, one picture, with the same bytes or in another size, format or quality; alike, \
      other pictures of the same thing, which no one should delete unseen. Of each group the best comes first: most pixels, most bytes, the oldest. \
      --others names all files of a group but that one, copies of it with the same bytes among them. It first reads every \
      file of a group whole, and compares copies byte by byte: one that cannot be read, or has other bytes than when it was \
      indexed, is not named, and is not the one to keep. Files that cannot be read, or are not on the disk as they were \
      indexed, are in no group; how many, standard error says.
      """)

  enum Level: String, ExpressibleByArgument, CaseIterable {
    case bytes, picture, alike

    var value: DuplicateLevel {
      switch self {
      case .bytes: .sameBytes
      case .picture: .samePicture
      case .alike: .alike
      }
    }
  }

  @Option(help: "What they have in common: bytes, picture or alike.")
  var level: Level = .picture

  @Option(help: ArgumentHelp("The least cosine of pictures that are alike.", valueName: "cosine"))
  var atLeast: Float = 0.95

  @Option(
    help: "The model, where the index has vectors of several: its name or a part of it, and @int8, say.")
  var model: String?

  @OptionGroup var place: IndexArguments

  @Flag(
    help: "Print the paths of all files but the best of each group, all of them read whole, and nothing else."
  )
  var others = false

  @Flag(name: [.customShort("0"), .long], help: "With --others: zeros end the paths, for xargs -0.")
  var null = false

  @Flag(help: "Print one JSON object per line for each group.")
  var json = false

  func validate() throws {
    if null, !others { throw ValidationError("-0 ends paths: it needs --others.") }
    if others, json { throw ValidationError("--others and --json: one of them.") }
  }

  func run() throws {
    let found = try PhotoIndex(at: place.index).duplicates(
      level.value, model: model, atLeast: atLeast, readsFiles: others)
    for group in found.groups {
      if others {
        for path in group.others {
          StandardStreams.printBytes(FileName.bytes(path) + [null ? 0 : UInt8(ascii: "\n")])
        }
      } else if json {
        StandardStreams.print(record(group))
      } else {
        printGroup(group)
      }
    }
    if !others, !json { printSummary(found.groups) }
    for path in found.unsound {
      StandardStreams.report(
        "apus: left out, as it cannot be read or its bytes are not those that were indexed: \(path)")
    }
    // What was read and is unsound, an indexing takes for unchanged.
    let unread = found.leftOut - found.unsound.count
    if unread > 0 { reportLeftOut(unread) }
  }

  private func printSummary(_ groups: [DuplicateGroup]) {
    let files = groups.reduce(0) { $0 + $1.others.count }
    StandardStreams.printLine(
      groups.isEmpty
        ? "none"
        : "\(Self.count(groups.count, "group")), \(Self.count(files, "file")) besides the best")
  }

  private func reportLeftOut(_ files: Int) {
    if json { StandardStreams.print(JSON.object([("left_out", .integer(files)), JSON.madeBy])) }
    StandardStreams.report(
      """
      apus: left out as unreadable, gone or changed since indexing: \(Self.count(files, "file")); 'apus photos index' \
      looks again
      """)
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func printGroup(_ group: DuplicateGroup) {
    for (place, member) in group.members.enumerated() {
      for (number, paths) in member.files.enumerated() {
        for (link, path) in paths.enumerated() {
          let isBest = place == 0 && number == 0 && link == 0
          let facts: String =
            if isBest {
              "best"
            } else if link > 0 {
              "the same file"
            } else {
              number > 0 ? "same bytes" : likeness(of: member)
            }
          StandardStreams.printText("\(isBest ? "" : "  ")\(path)  (\(facts))")
        }
      }
    }
  }

  /// What a member that is not the best has in common with that.
  private func likeness(of member: DuplicateGroup.Member) -> String {
    guard level != .bytes else { return "same bytes" }
    let bits = member.differentBits.map { ", \($0) of 64 bits differ" } ?? ""
    return Format.decimal(Double(member.cosine), 3) + bits
  }

  private func record(_ group: DuplicateGroup) -> JSON {
    .object([
      ("level", .string(level.rawValue)),
      (
        "files",
        .array(
          group.members.map { (member) -> JSON in
            let facts: [JSON.Member] = [
              ("cosine", .float(member.cosine)), ("bits", member.differentBits.map(JSON.integer) ?? .null),
            ]
            return .object(JSON.file(member.paths[0]) + facts + JSON.copies(member.paths.dropFirst()))
          })
      ), JSON.madeBy,
    ])
  }
}
