import Apus
import ArgumentParser
import Networks

/// The `--precision` and `--threads` options.
struct InferenceArguments: ParsableArguments {
  @Option(help: "The precision of the arithmetic: f32, bf16 or int8.")
  var precision: PrecisionArgument = .f32

  @OptionGroup var threads: Threads

  /// - Parameter threads: threads of one run, when not those asked for.
  func options(threads: Int? = nil) -> InferenceOptions {
    InferenceOptions(precision: precision.value, threads: threads ?? self.threads.resolve())
  }
}

/// A precision as the command line names it.
enum PrecisionArgument: String, ExpressibleByArgument, CaseIterable {
  case f32, bf16, int8

  var value: Precision {
    switch self {
    case .f32: .float32
    case .bf16: .bfloat16
    case .int8: .int8
    }
  }
}
