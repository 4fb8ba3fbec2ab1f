import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes photographs and their vectors for other programs: Parquet, JSON lines or NumPy.",
    discussion: """
      Example: apus photos export photos.parquet

      A row for each photograph: path, digest, width, height, when it was taken, camera, place, and its vector as a list \
      of numbers. The name of the file says the format, or --format does. A time without Z is what the camera's clock showed, \
      where the picture says no zone.
      """)

  @Argument(help: "The file: .parquet, .jsonl, or .npy with a .jsonl beside it.")
  var file: String

  @Option(help: "parquet, jsonl or npy.")
  var format: PhotoExport.Format?

  @Option(
    help: "The model, where the index has vectors of several: its name or a part of it, and @int8, say.")
  var model: String?

  @OptionGroup var place: IndexArguments

  func run() throws {
    guard let format = format ?? PhotoExport.Format(rawValue: FileName.ending(of: file)) else {
      throw ApusError(
        .argument, "a file of no known format", expected: ".parquet, .jsonl or .npy", file: file)
    }
    let (count, files) = try PhotoIndex(at: place.index).export(to: file, as: format, model: model)
    let summary = "\(files.joined(separator: ", ")): \(count) photographs"
    // It may be standard output that is written to.
    if FileSystem.isStream(file) {
      StandardStreams.report(summary.printable)
    } else {
      StandardStreams.printText(summary)
    }
  }
}

extension PhotoExport.Format: ExpressibleByArgument {}
