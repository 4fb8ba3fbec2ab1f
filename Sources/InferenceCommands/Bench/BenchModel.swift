import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Graph
import Kernels
import Networks
import TensorCore

struct BenchModel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Measures how fast a model runs and where the time goes.",
    discussion: """
      Example: apus bench model mobilenet.tflite --threads 1,2 --profile time
      Example: apus bench model openai/clip-vit-base-patch32 --part text --precision int8 --tokens 16
      Example: apus bench model mobilenet.tflite --at-most 20

      Inputs are random pictures, or a sentence of so many tokens. "load ms" is how long opening the model took, \
      "first ms" the first run of it, and what follows is of the runs after the warm-up. With several numbers of \
      threads the models take turns. The trace has a track for the nodes and one for each thread; it can be opened \
      in chrome://tracing or ui.perfetto.dev.
      """)

  @Argument(help: "A .tflite file, a model folder, or its name in the local Hugging Face cache.")
  var model: String

  @Option(help: "Which tower of a two-tower model: image or text.")
  var part: ModelPart?

  @Option(help: "Text length in tokens, for a text model. Default: the model's maximum, up to 128.")
  var tokens: Int?

  @Option(help: Precision.help)
  var precision: Precision?

  @Option(help: "Thread counts to measure, such as 1,2. Default: all processors this process may use.")
  var threads: ThreadList?

  @Option(help: "Warm-up runs before measuring.")
  var warmup = 5

  @Option(help: "Runs to measure. Default: as many as fit in --seconds.")
  var runs: Int?

  @Option(help: "Seconds to measure at each thread count. Default: 3.")
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Fail if the median run takes longer at any thread count (exit code 5).",
      valueName: "milliseconds"))
  var atMost: Double?

  @Option(
    help: "Print the time of each node: in run order (order), slowest first (time), or summed by kind (kind)."
  )
  var profile: ProfileReport.Order?

  @Option(help: "Write one run as a Chrome trace, with a track per thread.")
  var trace: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if warmup < 0 { throw ValidationError("--warmup \(warmup): at least 0.") }
    if let runs, runs < 1 { throw ValidationError("--runs \(runs): at least 1.") }
    if let seconds, !(seconds > 0 && seconds <= 3600) {
      throw ValidationError("--seconds \(seconds): more than 0, up to 3600.")
    }
    if runs != nil, seconds != nil { throw ValidationError("--runs and --seconds: choose one.") }
    if let tokens, tokens < 1 { throw ValidationError("--tokens \(tokens): at least 1.") }
    if let atMost, !(atMost > 0 && atMost.isFinite) {
      throw ValidationError("--at-most \(atMost): more than 0 milliseconds.")
    }
  }

  func run() throws {
    try OutputFile.check(trace)
    MachineState.warn()
    let counts = threads?.resolve() ?? [ModelOptions.effectiveThreads(nil)]
    var candidates: [BenchedModel] = []
    for count in counts {
      candidates.append(
        try BenchedModel(
          model, part: part, tokens: tokens,
          inference: InferenceOptions(precision: precision, threads: count)))
    }
    try BenchedModel.measure(&candidates, warmup: warmup, runs: runs, seconds: seconds ?? 3)
    var table: ProfileReport?
    if let profile, let last = candidates.last {
      table = ProfileReport(try last.profiled(runs: runs ?? 20), of: last.compiled, order: profile)
    }
    if let trace, let last = candidates.last {
      let course = ChromeTrace(
        run: try last.traced(), model: last.compiled, name: model, computation: last.computation)
      try OutputFile.write(Array(course.text.utf8), to: trace)
    }
    try report(candidates, table)
  }

  /// Prints what was measured, and fails where that is above what it may be.
  private func report(_ models: [BenchedModel], _ table: ProfileReport?) throws {
    let misses = atMost.map { ModelBenchReport.misses(of: $0, models) } ?? []
    if json {
      let record = ModelBenchReport.json(models, model: model, profile: table, atMost: atMost)
      StandardStreams.print(record)
    } else {
      ModelBenchReport.print(models)
      if let table {
        StandardStreams.printLine("")
        table.print()
      }
    }
    for miss in misses { StandardStreams.report("apus: \(miss)") }
    if !misses.isEmpty { throw ExitStatus.someFailed.code }
  }
}
