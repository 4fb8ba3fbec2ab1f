import CommandSupport
import Apus
import ArgumentParser
import TensorCore

/// `--advice` and `--language`.
struct AdviceArguments: ParsableArguments {
  @Flag(help: "Print the label file's advice for the best class, unless the result is uncertain.")
  var advice = false

  @Option(
    help: ArgumentHelp(
      "Language of class names and advice, such as th or pt-BR. Default: from LC_ALL, LC_MESSAGES or "
        + "LANG.", valueName: "tag"))
  var language: String?

  func validate() throws {
    if language != nil, !advice { throw ValidationError("--language is for --advice.") }
  }

  /// The requested tag, or the environment's.
  var tag: String? {
    if let language { return language }
    let variables = ProcessEnvironment.variables
    let set = [EnvironmentVariable.locale, .messageLocale, .language].compactMap { $0.value(in: variables) }
      .first { !$0.isEmpty }
    // `th_TH.UTF-8`; C and POSIX are no languages.
    let name = set?.prefix { $0 != "." && $0 != "@" } ?? ""
    return name.isEmpty || name == "C" || name == "POSIX"
      ? nil : name.map { $0 == "_" ? "-" : "\($0)" }.joined()
  }

  /// Name, description and advice of the best class; empty if not requested, or if the answer is uncertain.
  func texts(for classification: Classification) -> [String] {
    guard advice, !classification.isUncertain, let details = classification.predictions.first?.details
    else { return [] }
    return [details.name, details.description, details.advice].compactMap { $0?.text(in: tag) }
  }
}

/// A classification with what its label file advises, if that is asked for.
struct AdvisedClassification: Reportable {
  private let classification: Classification
  private let advice: AdviceArguments
  private let areShares: Bool

  /// - Parameter areShares: whether scores are shares of 1.
  init(_ classification: Classification, _ advice: AdviceArguments, areShares: Bool) {
    self.classification = classification
    self.advice = advice
    self.areShares = areShares
  }

  var damage: String? { classification.damage }
  var members: [JSON.Member] { classification.members }

  func headline(_ input: String) -> String { classification.headline(input) }

  var lines: [String] {
    PredictionTable.lines(
      classification.predictions.map(\.named), isUncertain: classification.isUncertain, areShares: areShares)
      + advice.texts(for: classification).map { "  \($0.printableLines)" }
  }
}
