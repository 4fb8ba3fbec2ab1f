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
    abstract: "Finds photographs by a sentence, on this computer alone.",
    discussion: """
      Example: apus photos index ~/Pictures
      Example: apus photos search "kids building a sandcastle" --since 2019
      In a browser: apus serve --photos ~/.local/share/apus/photos

      The index lies in $XDG_DATA_HOME/apus/photos, else ~/.local/share/apus/photos, or where --index says. A picture \
      that is renamed, moved or copied costs nothing; what was done is kept whenever the program is stopped.
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
