import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct FindDuplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "Finds duplicate and similar photographs.",
    discussion: """
      Example: apus photos duplicates --level bytes --others -0 | xargs -0 rm -i

      Levels: bytes, identical files; picture, the same picture, also in another size, format or quality; alike, different \
      pictures of the same thing, which should not be deleted unseen. The best file of each group comes first: most pixels, \
      then most bytes, then oldest. --others prints all other files, identical copies included. It reads every file of \
      a group in full and compares copies byte by byte; files that cannot be read or have changed since they were indexed \
      are never printed, nor counted as the one to keep. Files that are missing or unreadable belong to no group; their \
      number is reported on standard error.
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

  @Option(help: "Level of similarity: bytes, picture or alike.")
  var level: Level = .picture

  @Option(help: ArgumentHelp("Smallest cosine for alike pictures.", valueName: "cosine"))
  var atLeast: Float = 0.95

  @Option(
    help:
      "Which model's vectors to use, if the index has several: its name or part of it, optionally with @int8."
  )
  var model: String?

  @OptionGroup var place: IndexArguments

  @Flag(
    help: "Print only the paths of all files but the best in each group, after reading every file in full."
  )
  var others = false

  @Flag(name: [.customShort("0"), .long], help: "With --others: end paths with a zero byte, for xargs -0.")
  var null = false

  @Flag(help: "Print one JSON object per group, one per line.")
  var json = false

  func validate() throws {
    if null, !others { throw ValidationError("-0 needs --others.") }
    if others, json { throw ValidationError("--others and --json: choose one.") }
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

  /// The likeness of a member to the best one.
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
