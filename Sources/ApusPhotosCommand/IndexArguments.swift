import ApusPhotos
import ArgumentParser

/// Where the index lies.
struct IndexArguments: ParsableArguments {
  @Option(
    name: .customLong("index"),
    help: ArgumentHelp(
      "Index folder. Default: $XDG_DATA_HOME/apus/photos, else ~/.local/share/apus/photos.",
      valueName: "folder"))
  var chosen: String?

  var index: String { chosen ?? PhotoIndex.defaultFolder }
}
