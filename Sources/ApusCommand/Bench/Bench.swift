import ArgumentParser

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures kernels or a model on this machine.",
    subcommands: [BenchKernels.self, BenchModel.self])
}
