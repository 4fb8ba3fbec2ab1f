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

      Levels: bytes, the same bytes; picture, one picture in another size, format or quality; alike, pictures of the same \
      thing, which no one should delete unseen. Of each group the best comes first: most pixels, most bytes, the oldest.
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

  @Flag(help: "Print the paths of all but the best of each group, and nothing else.")
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
    let groups = try PhotoIndex(at: place.index).duplicates(level.value, model: model, atLeast: atLeast)
    for group in groups {
      if others {
        for path in group.members.dropFirst().flatMap(\.paths) {
          StandardStreams.printBytes(FileName.bytes(path) + [null ? 0 : UInt8(ascii: "\n")])
        }
      } else if json {
        StandardStreams.printLine(record(group).text)
      } else {
        printGroup(group)
      }
    }
    guard !others, !json else { return }
    let files = groups.reduce(0) { $0 + $1.members.count - 1 }
    StandardStreams.printLine(
      groups.isEmpty ? "none" : "\(groups.count) groups, \(files) files besides the best")
  }

  private func printGroup(_ group: DuplicateGroup) {
    for (place, member) in group.members.enumerated() {
      let facts: String =
        if place == 0 {
          "best"
        } else if level == .bytes {
          "same bytes"
        } else {
          Format.decimal(Double(member.cosine), 3)
            + (member.differentBits.map { ", \($0) of 64 bits differ" } ?? "")
        }
      StandardStreams.printText("\(place == 0 ? "" : "  ")\(member.paths[0])  (\(facts))")
    }
  }

  private func record(_ group: DuplicateGroup) -> JSON {
    .object([
      ("level", .string(level.rawValue)),
      (
        "files",
        .array(
          group.members.map { member in
            .object(
              JSON.file(member.paths[0]) + [
                ("cosine", .float(member.cosine)), ("bits", member.differentBits.map(JSON.integer) ?? .null),
              ])
          })
      ), JSON.madeBy,
    ])
  }
}
