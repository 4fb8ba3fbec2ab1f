import Graph
import Models
import TensorCore

/// How large the channels of the inputs of linear layers are, by the name of the matrix that multiplies them.
struct ChannelStatistics: Sendable {
  struct Channels: Sendable {
    /// The largest magnitude of each channel.
    fileprivate(set) var largest: [Float]
    private var squares: [Double]
    private var rows = 0

    fileprivate init(count: Int) {
      largest = [Float](repeating: 0, count: count)
      squares = [Double](repeating: 0, count: count)
    }

    /// The mean of the squares of each channel.
    var meanSquares: [Float] { squares.map { rows == 0 ? 1 : Float($0 / Double(rows)) } }

    fileprivate mutating func add(_ values: UnsafeBufferPointer<Float>) {
      let count = largest.count
      guard count > 0, values.count >= count else { return }
      for start in stride(from: 0, through: values.count - count, by: count) {
        for channel in 0..<count {
          let value = values[start + channel]
          largest[channel] = max(largest[channel], abs(value))
          squares[channel] += Double(value) * Double(value)
        }
      }
      rows += values.count / count
    }
  }

  private var channels: [ExactText: Channels] = [:]

  subscript(matrix: String) -> Channels? { channels[ExactText(matrix)] }

  /// Adds the input of a linear layer in a run, rows of `width` channels.
  mutating func add(_ layer: LinearStructure.Layer, _ input: UnsafeBufferPointer<Float>, width: Int) {
    for name in Set(layer.matrices.map { ExactText($0.tensor) }) {
      channels[name, default: Channels(count: width)].add(input)
    }
  }
}
