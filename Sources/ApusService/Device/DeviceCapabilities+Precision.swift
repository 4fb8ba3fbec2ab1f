import Graph

extension DeviceCapabilities {
  /// The precision to open a model in: the most exact one in which the device has memory for it, and computes as many
  /// runs a second as are expected. Where none is enough, the one that takes the least memory where memory is short, else
  /// the fastest.
  ///
  /// `bfloat16` is only recommended where the processor has products of it.
  public func recommendedPrecision(for needs: ModelRequirements) -> Precision {
    let usable = needs.precisions.filter { rates[$0] != nil }
    if let enough = usable.first(where: { isEnough(for: needs, in: $0) }) { return enough }
    let fitting = usable.filter { needs.memory(in: $0) <= memory.available }
    return fitting.max { (rates[$0] ?? 0) < (rates[$1] ?? 0) }
      ?? usable.min { needs.memory(in: $0) < needs.memory(in: $1) } ?? needs.precisions.first ?? .float32
  }

  private func isEnough(for needs: ModelRequirements, in precision: Precision) -> Bool {
    !needs.check(on: self, in: precision).contains { shortfall in
      switch shortfall {
      case .memory, .rate: true
      case .threads, .instructions, .tier: false
      }
    }
  }
}
