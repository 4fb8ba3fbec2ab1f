import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges other indexes, such as shards of a large library, into one.",
    discussion: """
      Example: apus photos merge /mnt/one/index /mnt/two/index --index all
      """)

  @Argument(help: ArgumentHelp("Index folders to merge; they are not changed.", valueName: "index"))
  var others: [String]

  @OptionGroup var place: IndexArguments

  func run() throws {
    let index = try PhotoIndex(at: place.index, creating: true)
    for other in others { try index.merge(other) }
    let status = try index.status()
    StandardStreams.printText("\(index.folder): \(status.files) files of \(status.contents) photographs")
  }
}
