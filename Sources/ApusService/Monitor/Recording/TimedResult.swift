import Apus

/// A result that states how long its stages took.
public protocol TimedResult {
  /// The time of each stage, in milliseconds.
  var milliseconds: StageMilliseconds { get }
}

extension Classification: TimedResult {}
extension TextClassification: TimedResult {}
extension ZeroShotClassification: TimedResult {}
