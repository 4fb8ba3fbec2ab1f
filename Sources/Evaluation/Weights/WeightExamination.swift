import Apus
import Glibc
import TensorCore

/// Compares a stored tensor with the baseline's as a whole and channel by channel.
struct WeightExamination {
  /// What a slice of a tensor is.
  enum Axis: String {
    case row, column
  }

  let shape: [Int]
  /// Signal to noise of the whole, in dB.
  let signalToNoise: Double
  private let whole: ChannelSums.Channel
  private let rows: [ChannelSums.Channel]
  private let columns: [ChannelSums.Channel]
  private let steps: (rows: [Float], columns: [Float])

  /// Numbers in memory at a time.
  private static let block = 1 << 16
  /// Columns of fewer are places in a filter, and no channels.
  private static let leastColumns = 8

  /// - Throws: ``ApusError`` when the elements stand for no numbers.
  init(_ baseline: Tensor, _ other: Tensor) throws(ApusError) {
    shape = other.shape.dimensions
    let count = min(baseline.shape.elementCount, other.shape.elementCount)
    let (rowCount, columnCount) = (shape.first ?? 1, shape.last ?? 1)
    var all = ChannelSums(count: 1, run: 1)
    var rows = ChannelSums(count: rowCount, run: count / max(rowCount, 1))
    var columns = ChannelSums(count: columnCount, run: 1)
    for start in stride(from: 0, to: count, by: Self.block) {
      let range = start..<min(start + Self.block, count)
      let (a, b) = (try baseline.realNumbers(range), try other.realNumbers(range))
      all.add(a, b, at: start)
      rows.add(a, b, at: start)
      columns.add(a, b, at: start)
    }
    whole = all.channels[0]
    self.rows = rows.channels
    self.columns = shape.count > 1 && columnCount >= Self.leastColumns ? columns.channels : []
    signalToNoise = whole.error > 0 ? -10 * log10(whole.error) : .infinity
    steps = (Self.steps(baseline, other, axis: 0), Self.steps(baseline, other, axis: shape.count - 1))
  }

  /// The factors of slices that are not the baseline's, by axis and position: what another tensor may make up for.
  var factors: [(axis: Axis, factors: [Int: Double])] {
    [(Axis.row, rows, steps.rows), (.column, columns, steps.columns)].map { axis, channels, steps in
      let changed = deviating(channels, steps)
      return (
        axis, Dictionary(changed.map { ($0, channels[$0].gain) }, uniquingKeysWith: { first, _ in first })
      )
    }
  }

  /// Nil where it is the baseline's but for rounding.
  var fault: WeightFault? {
    guard whole.baselineSquares > 0 else { return nil }
    if whole.isZero { return .zero }
    if abs(whole.gain - 1) > 0.25, whole.residue < 0.003 { return .scaled(whole.gain) }
    return fault(rows, .row, steps.rows) ?? fault(columns, .column, steps.columns)
      ?? (signalToNoise < 6 ? .different(signalToNoise: signalToNoise) : nil)
  }

  /// Slices that are zero or scaled, all by one factor, among others that are as they should be.
  private func fault(_ channels: [ChannelSums.Channel], _ axis: Axis, _ steps: [Float]) -> WeightFault? {
    guard shape.count > 1, channels.count > 1 else { return nil }
    let changed = deviating(channels, steps)
    guard !changed.isEmpty, 2 * changed.count <= channels.count else { return nil }
    // Of a model that was trained on, many slices differ more than that.
    let errors = channels.map(\.error).sorted()
    guard errors[9 * (channels.count - changed.count) / 10] < 0.01 else { return nil }
    if changed.allSatisfy({ channels[$0].isZero }) { return .channels(axis, changed, factor: 0) }
    let factor = changed.reduce(0) { $0 + channels[$1].gain } / Double(changed.count)
    let isOne = changed.allSatisfy {
      channels[$0].residue < 0.02 && abs(channels[$0].gain / factor - 1) < 0.1
    }
    return isOne ? .channels(axis, changed, factor: factor) : nil
  }

  /// Slices with errors of more than a fifth of their power that rounding does not explain. Those with next to no power
  /// say nothing.
  private func deviating(_ channels: [ChannelSums.Channel], _ steps: [Float]) -> [Int] {
    let powers = channels.map(\.baselineSquares).sorted()
    let usual = powers.isEmpty ? 0 : powers[powers.count / 2]
    return channels.indices.filter { index in
      let channel = channels[index]
      let step = steps.isEmpty ? 0 : steps[index % steps.count]
      return channel.baselineSquares > 0.01 * usual && channel.error > 0.2
        && channel.typicalError > 2 * Double(step)
    }
  }

  /// The step between stored numbers for each slice along an axis, of the coarser of the two; one where all are the same.
  private static func steps(_ baseline: Tensor, _ other: Tensor, axis: Int) -> [Float] {
    [baseline, other].compactMap(\.quantization).reduce(into: [Float]()) { steps, quantization in
      let scales = quantization.axis == axis ? quantization.scales : [quantization.scales.max() ?? 0]
      let count = max(steps.count, scales.count)
      steps = (0..<count).map { index in
        max(steps.isEmpty ? 0 : steps[index % steps.count], scales[index % scales.count])
      }
    }
  }
}
