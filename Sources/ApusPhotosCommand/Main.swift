import Apus
import ArgumentParser
import CommandSupport

@main
enum Main {
  static func main() async {
    Program.begin(PhotosCommand.self)
    await Program.run(PhotosCommand.self, prepare: QueryArguments.prepared)
  }
}

struct PhotosCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: isNamedForShells ? "apus-photos" : "apus photos",
    abstract: "Searches your photographs by sentence; everything stays on this computer.",
    discussion: """
      Example: apus photos index ~/Pictures
      Example: apus photos search "kids building a sandcastle" --since 2019
      In a browser: apus serve --photos ~/.local/share/apus/photos

      The index is kept in $XDG_DATA_HOME/apus/photos, else ~/.local/share/apus/photos, unless --index is given. Renamed, \
      moved or copied pictures are not embedded again, and progress is kept if the program is stopped.
      """,
    version: ApusVersion.current,
    subcommands: [
      Index.self, Search.self, Watch.self, FindDuplicates.self, Export.self, Merge.self, Check.self,
      Status.self,
    ])

  @OptionGroup var seal: SealArguments

  /// Whether completions or manual pages are asked for: those are of a program, whose name is one word.
  private static var isNamedForShells: Bool {
    Arguments.all.contains {
      $0.hasPrefix("--generate-completion-script") || $0 == "--experimental-dump-help"
    }
  }
}
