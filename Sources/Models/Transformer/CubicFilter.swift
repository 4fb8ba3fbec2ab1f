/// How bicubic interpolation mixes the positions of a line: Keys' cubic convolution (1981), in one of PyTorch's forms.
enum CubicFilter: Sendable {
  /// `antialias=False`: a = −0.75, four positions, the edge repeated.
  case plain
  /// `antialias=True`: a = −0.5, as many positions as two steps of the coarser line span on each side, none behind the
  /// edge, with shares that add up to 1.
  case antialiased

  /// An old position and its share of a new one.
  struct Tap {
    let position: Int
    let weight: Float
  }

  /// What each new position of a line mixes.
  func taps(from old: Int, to new: Int) -> [[Tap]] {
    let scale = Float(old) / Float(new)
    return (0..<new).map { position in
      let centre = (Float(position) + 0.5) * scale
      return self == .plain ? repeatingEdges(centre, old) : antialiasing(centre, old, scale)
    }
  }

  private func repeatingEdges(_ centre: Float, _ old: Int) -> [Tap] {
    let source = centre - 0.5
    let first = source.rounded(.down)
    return (-1...2).map { step in
      Tap(
        position: min(max(Int(first) + step, 0), old - 1), weight: weight(Float(step) - (source - first)))
    }
  }

  private func antialiasing(_ centre: Float, _ old: Int, _ scale: Float) -> [Tap] {
    let stretch = max(scale, 1)
    // Truncated towards zero, as integers of C are.
    let first = max(Int(centre - 2 * stretch + 0.5), 0)
    let end = min(Int(centre + 2 * stretch + 0.5), old)
    let weights = (first..<max(first, end)).map { weight((Float($0) - centre + 0.5) * (1 / stretch)) }
    let total = weights.reduce(0, +)
    return weights.enumerated().map { index, weight in
      Tap(position: first + index, weight: total == 0 ? weight : weight / total)
    }
  }

  private var a: Float { self == .plain ? -0.75 : -0.5 }

  /// Keys' kernel at a distance of `x` steps from the centre.
  private func weight(_ x: Float) -> Float {
    let x = abs(x)
    if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
  }
}
