import ArgumentParser

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures kernels or a model on this machine.",
    discussion: """
      Example: apus bench kernels --filter gemm
      Example: apus bench model mobilenet.tflite --threads 1,2 --profile time
      """,
    subcommands: [BenchKernels.self, BenchModel.self])
}
