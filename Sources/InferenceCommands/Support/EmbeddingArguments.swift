import CommandSupport
import Apus
import ArgumentParser

/// The options of commands that embed texts and pictures.
struct EmbeddingArguments: ParsableArguments {
  @Option(help: "The model's folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "How pictures are prepared. Default: what the model's files say.",
      discussion: "One of \(PreprocessingProfile.all.map(\.name).joined(separator: ", ")).",
      valueName: "profile"))
  var preprocess: String?

  @Flag(
    help:
      "Embed texts as a SigLIP does that is given an attention mask: padding is not attended. Default: it is."
  )
  var maskPadding = false

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments
}
