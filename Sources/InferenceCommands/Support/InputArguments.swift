import ArgumentParser

/// The texts and pictures that a command is given.
struct InputArguments: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help:
      "Texts, or - to read one per line from standard input. One that begins with - may be written --text=TEXT."
  )
  var text: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: "Image files, folders, patterns such as '*.jpg', or - to read paths from standard input.")
  var image: [String] = []

  func validate() throws {
    if text.isEmpty, image.isEmpty { throw ValidationError("--text or --image is needed.") }
    if text.contains("-"), image.contains("-") {
      throw ValidationError("--text - and --image -: standard input is one list.")
    }
  }
}
