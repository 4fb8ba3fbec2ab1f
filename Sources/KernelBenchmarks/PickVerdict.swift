/// Whether the kernels that Apus picks are the fastest, as far as results tell.
package struct PickVerdict: Sendable {
  package enum Outcome: Sendable {
    case fastest
    /// Another way was faster, and nothing disturbed the measurement.
    case beaten
    /// None was shown to be faster, but others used the processors.
    case undecided
  }

  /// A line for each kernel that is not the fastest.
  package private(set) var beaten: [String] = []
  /// The kernels whose measurement was disturbed.
  package private(set) var undecided: [String] = []

  package init() {}

  package mutating func add(_ result: KernelResult, _ conditions: Conditions) {
    if conditions.isDisturbed {
      undecided.append(result.name)
    } else if let better = result.betterThanPicked {
      beaten.append("\(result.name): \(better.name) is faster")
    }
  }

  package var outcome: Outcome {
    if !beaten.isEmpty { return .beaten }
    return undecided.isEmpty ? .fastest : .undecided
  }
}
