import Apus
import ArgumentParser
import Networks

/// The `--precision` and `--threads` options.
package struct InferenceArguments: ParsableArguments {
  @Option(help: PrecisionArgument.help)
  package var precision: PrecisionArgument?

  @OptionGroup package var threads: Threads

  package init() {}

  /// - Parameter threads: threads of one run, when not those asked for.
  package func options(threads: Int? = nil) -> InferenceOptions {
    InferenceOptions(precision: precision?.value, threads: threads ?? self.threads.resolve())
  }
}

/// A precision as the command line names it.
package enum PrecisionArgument: String, ExpressibleByArgument, CaseIterable {
  case f32, bf16, int8

  package static let help: ArgumentHelp =
    "The precision of the arithmetic: f32, bf16 or int8. Default: f32 of a folder, a .tflite file's own numbers."

  package var value: Precision {
    switch self {
    case .f32: .float32
    case .bf16: .bfloat16
    case .int8: .int8
    }
  }
}
