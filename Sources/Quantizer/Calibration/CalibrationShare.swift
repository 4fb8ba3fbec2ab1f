import TensorCore

/// Some of the samples of a source.
struct CalibrationShare: CalibrationSource {
  private let whole: any CalibrationSource
  private let indices: [Int]

  /// Those to look at and those to judge by: every fourth sample, and of two or three the last. One has to do for both. And
  /// a report that says so, of nothing tried yet.
  static func split(
    _ whole: any CalibrationSource
  ) -> (looked: CalibrationShare, judged: CalibrationShare, report: CalibrationReport) {
    let all = Array(0..<whole.count)
    let step = min(4, all.count)
    func share(_ isTaken: (Int) -> Bool) -> CalibrationShare {
      CalibrationShare(whole: whole, indices: all.count > 1 ? all.filter(isTaken) : all)
    }
    let kept = step < 2 ? "" : step < 4 ? ", the last kept to judge by" : ", every fourth kept to judge by"
    return (
      share { $0 % step != step - 1 }, share { $0 % step == step - 1 },
      CalibrationReport(samples: whole.description + kept, notes: whole.notes)
    )
  }

  private init(whole: any CalibrationSource, indices: [Int]) {
    self.whole = whole
    self.indices = indices
  }

  var count: Int { indices.count }
  var description: String { whole.description }
  var notes: [String] { whole.notes }
  var inputRanges: [ValueRange?] { whole.inputRanges }

  func inputs(_ index: Int) throws(ApusError) -> [Tensor] { try whole.inputs(indices[index]) }
}
