import Apus
import ArgumentParser
import Networks

/// The `--precision`, `--variant` and `--threads` options.
package struct InferenceArguments: ParsableArguments {
  @Option(help: Precision.help)
  package var precision: Precision?

  @Option(help: "Which ONNX files of a folder to run, such as int8, fp16 or quantized.")
  package var variant: String?

  @OptionGroup package var threads: Threads

  package init() {}

  /// - Parameter threads: threads of one run, when not those asked for.
  package func options(threads: Int? = nil) -> InferenceOptions {
    InferenceOptions(
      precision: precision, threads: threads ?? self.threads.resolve(), variant: variant)
  }
}

extension Precision: ExpressibleByArgument {
  package static let help: ArgumentHelp =
    "Arithmetic: f32, bf16 or int8. Default: f32 for a folder; a .tflite or .onnx file runs as written."

  /// The names that help and errors list; the longer ones are taken too.
  public static var allValueStrings: [String] { allCases.map(\.shortName) }
}
