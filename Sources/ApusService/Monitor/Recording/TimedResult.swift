import Apus

/// A result that states how long its stages took.
public protocol TimedResult {
  /// The time of each stage.
  var times: StageTimes { get }
}

extension Classification: TimedResult {}
extension TextClassification: TimedResult {}
extension ZeroShotClassification: TimedResult {}
