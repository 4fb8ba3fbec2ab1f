import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Finds photographs by sentence, by example picture and by metadata.",
    discussion: """
      Example: apus photos search "a dog in snow" -people --in ~/Pictures/2019 --html dogs.html
      Example: apus photos search --like beach.jpg 0.5:sunset --top 50 --paths -0 | xargs -0 cp -t found

      Sentences and pictures are combined: -people moves away from a sentence, 2:golden retriever counts double. The score \
      is the cosine between the query and a photograph. Without sentences and pictures, the newest photographs come first.
      """)

  @Argument(
    help: ArgumentHelp("Sentences, optionally prefixed with a sign and a weight.", valueName: "query"))
  var query: [String] = []

  @Option(
    help: ArgumentHelp(
      "A sentence to use verbatim, such as '3:10 to Yuma', without sign or weight; repeatable.",
      valueName: "text"))
  var sentence: [String] = []

  @Option(
    help: ArgumentHelp(
      "An example picture; repeatable.", valueName: "picture"))
  var like: [String] = []

  @OptionGroup var place: IndexArguments

  @Option(
    help:
      "Which model's vectors to use, if the index has several: its name or part of it, optionally with @int8."
  )
  var model: String?

  @Option(
    help: ArgumentHelp(
      """
      A text tower for an index whose model embeds pictures only, such as the other half of its CLIP: a folder, or a name \
      in the local Hugging Face cache. The widths of its vectors must match the index; that the two were trained together \
      is not checked.
      """, valueName: "folder"))
  var textModel: String?

  @Option(name: [.long, .customLong("top-k")], help: "Number of photographs to show.")
  var top = 20

  @Option(
    help: ArgumentHelp(
      "Smallest cosine to show, or auto to drop photographs that a generic sentence describes as well.",
      valueName: "score")
  )
  var minScore: MinimumScore = .none

  @OptionGroup(title: "Which photographs") var filter: FilterArguments

  @OptionGroup var threads: Threads

  @OptionGroup var output: MatchOutput

  func validate() throws {
    if top < 1 { throw ValidationError("--top \(top): at least 1.") }
    guard !hasQuery else { return }
    let options = [
      ("--model", model != nil), ("--text-model", textModel != nil), ("--min-score", minScore != .none),
    ]
    if let option = options.first(where: \.1)?.0 {
      throw ValidationError("\(option) is for a query: a sentence or --like is needed.")
    }
  }

  private var hasQuery: Bool { !query.isEmpty || !sentence.isEmpty || !like.isEmpty }

  func run() async throws {
    try OutputFile.check(output.html)
    guard hasQuery else { return try await printNewest() }
    let query = try PhotoQuery(
      query.map(FileName.readable), sentences: sentence.map(FileName.readable), like: like.map { Picture($0) }
    )
    let index = try PhotoIndex(at: place.index)
    if let html = output.html { try index.checkOutput(html) }
    let searcher = try PhotoSearcher(
      index, model: model, textModel: textModel, threads: threads.resolve())
    let filter = try filter.filter()
    let matches = try await searcher.search(query, count: top, filter: filter, minimum: minScore)
    StandardStreams.report(notes: searcher.notes)
    if matches.isEmpty {
      StandardStreams.report(
        try searcher.leavesNone(filter) ? Self.noPhotograph : "apus: nothing is like that")
    }
    var facts = [(name: "Model", value: searcher.model)]
    if let texts = searcher.textModel { facts.append(("Model for texts", FileName.readable(texts))) }
    facts.append(("Index", FileName.readable(searcher.folder)))
    try output.print(
      matches.map(FoundPhoto.init), query: self.query + sentence + like.map { "like \($0)" }, facts: facts)
  }

  private static let noPhotograph =
    "apus: there is no photograph as --since, --until, --in, --camera, --near, --larger-than or --kind ask for"

  private func printNewest() async throws {
    let index = try PhotoIndex(at: place.index)
    if let html = output.html { try index.checkOutput(html) }
    let filter = try filter.filter()
    let photos = try await index.newest(top, filter: filter)
    if photos.isEmpty {
      StandardStreams.report(filter.isEmpty ? "apus: the index has no photograph" : Self.noPhotograph)
    }
    try output.print(
      photos.map(FoundPhoto.init), query: [], facts: [(name: "Index", value: FileName.readable(index.folder))]
    )
  }
}

extension MinimumScore: ExpressibleByArgument {
  public init?(argument: String) {
    if argument == "auto" {
      self = .automatic
    } else {
      guard let score = Float(argument), score.isFinite else { return nil }
      self = .cosine(score)
    }
  }

  public var defaultValueDescription: String { "none" }
}
