import ApusPhotos
import ArgumentParser

/// Where the index lies.
struct IndexArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of the index. Default: ~/.local/share/apus/photos.", valueName: "folder"))
  var index: String = PhotoIndex.defaultFolder
}
