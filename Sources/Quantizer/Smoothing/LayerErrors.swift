import Models
import TensorCore

/// How far the results of linear layers at int8 are from those of the float model, each with the errors of the layers
/// before it.
struct LayerErrors {
  /// In the order in which they run.
  private(set) var layers: [LinearStructure.Layer] = []
  private var errors: [ExactText: SignalToNoise] = [:]

  /// The error of the layer with a name.
  subscript(name: String) -> SignalToNoise { errors[ExactText(name)] ?? SignalToNoise() }

  /// Adds a run of both models.
  /// - Parameter scaling: what the int8 model was scaled by, which is taken back.
  mutating func add(_ expected: SampleRuns.Run, _ found: SampleRuns.Run, _ scaling: ChannelScaling) {
    for (place, layer) in expected.structure.layers.enumerated()
    where found.structure.layers.indices.contains(place) {
      let name = ExactText(layer.name)
      if errors[name] == nil { layers.append(layer) }
      let factors = scaling.factors(of: layer.matrices)
      guard !factors.isEmpty else { continue }
      var error = SignalToNoise()
      for (index, (right, found)) in zip(expected.numbers(place), found.numbers(place)).enumerated() {
        error.add(right, became: found / factors[index % factors.count])
      }
      errors[name, default: SignalToNoise()].add(error)
    }
  }
}
