import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Takes in what other indexes have, such as the shards of a large library.",
    discussion: """
      Example: apus photos merge /mnt/one/index /mnt/two/index --index all
      """)

  @Argument(help: ArgumentHelp("Folders of indexes; they are not changed.", valueName: "index"))
  var others: [String]

  @OptionGroup var place: IndexArguments

  func run() throws {
    let index = try PhotoIndex(at: place.index, creating: true)
    for other in others { try index.merge(other) }
    let status = try index.status()
    StandardStreams.printText("\(index.folder): \(status.files) files of \(status.contents) photographs")
  }
}
