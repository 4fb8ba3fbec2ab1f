import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

/// The options of commands that read pictures into an index.
struct IndexingArguments: ParsableArguments {
  @Argument(help: "Folders or files. Default: those indexed before.")
  var folders: [String] = []

  @OptionGroup var place: IndexArguments

  @Option(
    help: """
      A CLIP or SigLIP folder, or its name in the local Hugging Face cache. Default: the index's model, else the first \
      such model in the cache.
      """)
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Exclude files and folders by a .gitignore pattern; repeatable.",
      valueName: "pattern"))
  var exclude: [String] = []

  @Option(help: "Precision for pictures: f32, bf16 or int8. Default: int8.")
  var precision: Precision?

  @Flag(help: "Decode large JPEG files at full size instead of three to four times the model's input.")
  var exact = false

  @Option(
    help: ArgumentHelp(
      """
      How transparent pixels are shown to the model. Default: as before in this index, unless --model is given; else \
      ignored.
      """,
      discussion: TransparencyArguments.values, valueName: "colour"))
  var transparency: ImageOptions.Transparency?

  @Option(
    help: ArgumentHelp(
      "Index only this share of the files, such as 1/4; join shards with 'merge'.", valueName: "i/n"))
  var shard: String?

  @OptionGroup var threads: Threads

  @Option(help: "Largest picture to decode, in pixels.")
  var pixelLimit = ImageLimits.standard.pixels

  @Flag(help: "Print a summary as one JSON object, preceded by one for each failure.")
  var json = false

  func validate() throws {
    if pixelLimit < 1 { throw ValidationError("--pixel-limit \(pixelLimit): at least 1.") }
  }

  /// Opens what the arguments name and does what `body` does with it, which the first interrupt cancels.
  func perform<Outcome: Sendable>(
    _ body: @escaping @Sendable (PhotoIndex, PhotoModel, IndexOptions) async throws(ApusError) -> Outcome
  ) async throws -> Outcome {
    let index = try PhotoIndex(at: place.index, creating: true)
    let (model, options) = try open(index)
    let interrupt = Interrupt()
    let work = Task { try await body(index, model, options) }
    interrupt.begin { work.cancel() }
    return try await work.value
  }

  private func open(_ index: PhotoIndex) throws(ApusError) -> (model: PhotoModel, options: IndexOptions) {
    var options = IndexOptions(excluded: exclude, width: threads.resolve())
    options.limits.pixels = pixelLimit
    if let shard { options.shard = try Shard(shard) }
    var modelOptions = PhotoModel.Options()
    if let precision { modelOptions.precision = precision }
    if exact { modelOptions.decoding = .exact }
    modelOptions.transparency = try PhotoModel.transparency(transparency, with: model, in: index)
    let opened = try PhotoModel(try ModelChoice.name(model, index), options: modelOptions)
    StandardStreams.report(notes: opened.notes)
    try opened.checkTextTower()
    if !opened.hasTextTower { Self.reportNoTextTower() }
    return (opened, options)
  }

  /// Said before hours of indexing, not by the first search after them.
  private static func reportNoTextTower() {
    StandardStreams.report(
      "apus: the model has no tower for texts: searches by a sentence are refused, unless "
        + "'apus photos search --text-model' names one; --like works without")
  }
}
