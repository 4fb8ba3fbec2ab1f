import ArgumentParser

/// The commands that run models and say what is in them. What they need is compiled first: `Tools/apus` makes a program of
/// them alone for the first answer.
package enum InferenceCommands {
  /// In the order of the list that people read.
  package static let all: [any ParsableCommand.Type] = classifying + reading

  /// Commands for pictures and texts.
  package static let classifying: [any ParsableCommand.Type] = [
    Classify.self, ZeroShot.self, ClassifyText.self, ZeroShotText.self, Embed.self, Similarity.self,
  ]

  /// Commands for a closer look.
  package static let reading: [any ParsableCommand.Type] = [
    Bench.self, Run.self, Inspect.self, Tokenize.self, List.self,
  ]
}

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Benchmarks a model or the kernels on this machine.",
    discussion: """
      Example: apus bench kernels --filter gemm
      Example: apus bench model mobilenet.tflite --threads 1,2 --profile time
      """,
    subcommands: [BenchKernels.self, BenchModel.self])
}
