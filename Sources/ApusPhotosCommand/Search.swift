import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Finds photographs by sentences, by pictures, and by what their files say.",
    discussion: """
      Example: apus photos search "a dog in snow" -people --in ~/Pictures/2019 --html dogs.html
      Example: apus photos search --like beach.jpg 0.5:sunset --top 50 --paths -0 | xargs -0 cp -t found

      Several sentences and pictures are added up: -people is what photographs should not be like, 2:golden retriever \
      counts twice. The score is the cosine of the angle between the query and a photograph.
      """)

  @Argument(help: ArgumentHelp("Sentences, with + or - and a weight before them.", valueName: "query"))
  var query: [String] = []

  @Option(
    help: ArgumentHelp(
      "A sentence as it is, such as '3:10 to Yuma', without a sign or a weight; may be given again.",
      valueName: "text"))
  var sentence: [String] = []

  @Option(
    help: ArgumentHelp(
      "A picture that the photographs should be like; may be given again.", valueName: "picture"))
  var like: [String] = []

  @OptionGroup var place: IndexArguments

  @Option(
    help: "The model, where the index has vectors of several: its name or a part of it, and @int8, say.")
  var model: String?

  @Option(
    help: ArgumentHelp(
      """
      What embeds sentences where the index's model has no tower for texts, such as the other half of its CLIP: a folder, \
      or its name in the local Hugging Face cache. Its vectors must be as wide as those of the index; that both belong \
      together is not checked.
      """, valueName: "folder"))
  var textModel: String?

  @Option(name: [.long, .customLong("top-k")], help: "How many photographs.")
  var top = 20

  @Option(
    help: ArgumentHelp(
      "The least cosine; or auto: none where sentences that say nothing tell it as well.", valueName: "score")
  )
  var minScore: MinimumScore = .none

  @OptionGroup(title: "Which photographs") var filter: FilterArguments

  @OptionGroup var threads: Threads

  @OptionGroup var output: MatchOutput

  func validate() throws {
    if top < 1 { throw ValidationError("--top \(top): at least 1.") }
    if query.isEmpty, sentence.isEmpty, like.isEmpty {
      throw ValidationError("A sentence or --like is needed.")
    }
  }

  func run() async throws {
    try OutputFile.check(output.html)
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
    try output.print(
      matches, query: self.query + sentence + like.map { "like \($0)" }, filter: filter, searcher)
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
