import ArgumentParser

/// The commands that run models and say what is in them. What they need is compiled first: `Tools/apus` makes a program of
/// them alone for the first answer.
package enum InferenceCommands {
  /// In the order of the list that people read.
  package static let all: [any ParsableCommand.Type] = classifying + reading

  /// Those that answer about pictures and texts.
  package static let classifying: [any ParsableCommand.Type] = [
    Classify.self, ZeroShot.self, ClassifyText.self, Embed.self, Similarity.self,
  ]

  /// Those for people who look closer.
  package static let reading: [any ParsableCommand.Type] = [
    Bench.self, Run.self, Inspect.self, Tokenize.self, List.self,
  ]
}
