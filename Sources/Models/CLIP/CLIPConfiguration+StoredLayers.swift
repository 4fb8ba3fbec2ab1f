import TensorCore

extension CLIPConfiguration {
  /// OpenCLIP refuses weights that its configuration has no layers for, where transformers leaves them out.
  /// - Parameter file: the configuration's, for the error.
  /// - Throws: ``ApusError`` of kind `configuration` when a tower has more layers in `weights` than are configured.
  func requireEveryStoredLayer(of weights: WeightPath, file: String) throws(ApusError) {
    let towers = [
      (key: "vision_cfg", path: names.image, layers: image.encoder.layers),
      (key: "text_cfg", path: names.text, layers: text.encoder.layers),
    ]
    for tower in towers {
      let stored = weights[tower.path].count(of: names.layers)
      guard stored > tower.layers else { continue }
      throw ApusError(
        .configuration, "is \(tower.layers), and the weights have \(stored) layers",
        expected: "as many layers as the weights have", at: "model_cfg.\(tower.key).layers", file: file)
    }
  }
}
