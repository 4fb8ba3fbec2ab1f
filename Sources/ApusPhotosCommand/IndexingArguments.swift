import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

/// The options of commands that read pictures into an index.
struct IndexingArguments: ParsableArguments {
  @Argument(help: "Folders or files. Default: those that were indexed before.")
  var folders: [String] = []

  @OptionGroup var place: IndexArguments

  @Option(
    help: """
      A folder with a CLIP or SigLIP, or its name in the local Hugging Face cache. Default: what the index was made \
      with, else the first such model of the cache.
      """)
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Leave out files and folders of that name, as .gitignore has patterns; may be given again.",
      valueName: "pattern"))
  var exclude: [String] = []

  @Option(help: "What pictures are computed in: f32, bf16 or int8. Default: int8.")
  var precision: Precision?

  @Flag(help: "Decode large JPEG files in full, not only three or four times as large as the input.")
  var exact = false

  @Option(
    help: ArgumentHelp(
      """
      What transparent pixels become. Default: what they became the last time in this index, where --model is not \
      given either; else ignored.
      """,
      discussion: TransparencyArguments.values, valueName: "colour"))
  var transparency: ImageOptions.Transparency?

  @Option(
    help: ArgumentHelp("Index that part of the files only, such as 1/4; merge joins them.", valueName: "i/n"))
  var shard: String?

  @OptionGroup var threads: Threads

  @Option(help: "The largest picture decoded, in pixels.")
  var pixelLimit = ImageLimits.standard.pixels

  @Flag(help: "Print what was done as one JSON object, and each failure as another before it.")
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
    if let shard { options.shard = try Self.shard(shard) }
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

  private static func shard(_ text: String) throws(ApusError) -> Shard {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else {
      throw ApusError(.argument, "--shard \(text)", expected: "two numbers, such as 1/4")
    }
    return try Shard(number, of: count)
  }
}
