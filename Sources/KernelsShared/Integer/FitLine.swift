import CIntrinsics

/// Finds, for each of a vector of columns, a line through float32 that rounds to what the fixed-point multiplication
/// gives, whatever the sum.
///
/// Both rise with the sum. So they are the same everywhere if they are at the ends, and if the line passes every
/// step where the multiplication does. That is tried with the arithmetic of the kernels themselves, for a few lines
/// near the exact one: what float32 loses decides, and no bound on it is close enough.
@inline(never)
func fitLine(_ arguments: UnsafePointer<ApusLineFit>) -> Bool {
  let fit = arguments.pointee
  let steps = StepSurvey(fit)
  var line = Line()
  var pending = ~Int32Vector(repeating: 0)
  var attempt = 0
  while attempt < LineAttempt.count {
    propose(LineAttempt(attempt), fit, steps, pending, &line)
    pending = misses(line, pending, fit, steps)
    if apus_sum_lanes(pending) == 0 {
      UnsafeMutableRawPointer(fit.lineSlope).storeBytes(of: line.slope, as: FloatVector.self)
      UnsafeMutableRawPointer(fit.lineOffset).storeBytes(of: line.offset, as: FloatVector.self)
      UnsafeMutableRawPointer(fit.lineShift).storeBytes(of: line.shift, as: Int32Vector.self)
      return true
    }
    attempt &+= 1
  }
  return false
}

/// (sum + shift) × slope + offset. The shift brings the offset near 0, where float32 is finest.
private struct Line {
  var slope = FloatVector(repeating: 0)
  var offset = FloatVector(repeating: 0)
  var shift = Int32Vector(repeating: 0)
}

/// The steps one after another, exactly.
private struct Steps {
  private(set) var place: Int32Vector
  private(set) var excess: Int32Vector
  private let stride: Int32Vector
  private let remainder: Int32Vector
  private let multiplier: Int32Vector
  private let least: Int32Vector
  private let greatest: Int32Vector

  @inline(__always)
  init(_ fit: ApusLineFit) {
    place = UnsafeRawPointer(fit.place).vector()
    excess = UnsafeRawPointer(fit.excess).vector()
    stride = UnsafeRawPointer(fit.stride).vector()
    remainder = UnsafeRawPointer(fit.remainder).vector()
    multiplier = UnsafeRawPointer(fit.multiplier).vector()
    least = UnsafeRawPointer(fit.least).vector()
    greatest = UnsafeRawPointer(fit.greatest).vector()
  }

  @inline(__always)
  mutating func advance() {
    excess = excess &- remainder
    // All bits are -1.
    let isShort = apus_less(excess, Int32Vector(repeating: 0))
    place = place &+ stride &- isShort
    excess = excess &+ (multiplier & isShort)
  }

  /// Where there are sums on both sides of the step.
  @inline(__always)
  var isReached: Int32Vector { apus_less(least, place) & ~isAbove }

  /// Where the step is above all sums.
  @inline(__always)
  var isAbove: Int32Vector { apus_less(greatest, place) }
}

/// What the steps between the least and the greatest sum say.
private struct StepSurvey {
  /// The extremes of the excesses; the least is above the greatest where there is no step.
  var leastExcess = Int32Vector(repeating: .max)
  var greatestExcess = Int32Vector(repeating: -1)
  /// The results of the least and of the greatest sum.
  var first: Int32Vector
  var last: Int32Vector

  @inline(__always)
  init(_ fit: ApusLineFit) {
    first = Int32Vector(repeating: -128)
    last = first
    var steps = Steps(fit)
    var result: Int32 = -127
    while result <= 127 {
      let (isReached, isAbove) = (steps.isReached, steps.isAbove)
      leastExcess = apus_select(isReached & apus_less(steps.excess, leastExcess), steps.excess, leastExcess)
      greatestExcess = apus_select(
        isReached & apus_less(greatestExcess, steps.excess), steps.excess, greatestExcess)
      first = apus_select(isReached | isAbove, first, Int32Vector(repeating: result))
      last = apus_select(isAbove, last, Int32Vector(repeating: result))
      steps.advance()
      result &+= 1
    }
  }
}

/// A line near the exact one: its slope so many numbers of float32 beside the nearest, and where it passes between the
/// steps, from the lowest it can be to the highest.
private struct LineAttempt {
  static var count: Int { 15 }
  let slopeStep: Int32
  let height: Double

  @inline(__always)
  init(_ index: Int) {
    // 0, 1, -1, 2, -2 in the middle, then the same lower and higher.
    let step = Int32(truncatingIfNeeded: index % 5)
    slopeStep = step & 1 == 1 ? (step &+ 1) >> 1 : 0 &- step >> 1
    height = index < 5 ? 0.5 : index < 10 ? 0.3 : 0.7
  }
}

/// Writes the lines of an attempt for the columns that have none yet.
@inline(__always)
private func propose(
  _ attempt: LineAttempt, _ fit: ApusLineFit, _ steps: StepSurvey, _ pending: Int32Vector, _ line: inout Line
) {
  var lane = 0
  while lane < lanes {
    if pending[lane] != 0 {
      if steps.leastExcess[lane] > steps.greatestExcess[lane] {
        line.slope[lane] = 0
        line.offset[lane] = Float(steps.first[lane])
      } else {
        // Lifted by less than the least excess the line still passes each step; lowered by what the greatest lacks of
        // the multiplier it would pass one too early.
        let room = Double(fit.multiplier[lane]) - Double(steps.greatestExcess[lane])
        let lift = attempt.height * room - (1 - attempt.height) * Double(steps.leastExcess[lane])
        let rise = fit.rise[lane] + fit.unit[lane] * lift
        let shift = rise / fit.slope[lane] + 0x1.8p52 - 0x1.8p52
        if shift > -0x1p30 && shift < 0x1p30 {
          line.shift[lane] = Int32(shift)
          line.slope[lane] = Float(
            bitPattern: Float(fit.slope[lane]).bitPattern &+ UInt32(bitPattern: attempt.slopeStep))
          line.offset[lane] = Float(rise - shift * fit.slope[lane])
        }
      }
    }
    lane &+= 1
  }
}

/// All bits for each pending column whose line is somewhere not what the steps say.
@inline(__always)
private func misses(
  _ line: Line, _ pending: Int32Vector, _ fit: ApusLineFit, _ survey: StepSurvey
) -> Int32Vector {
  let requantizer = LineRequantizer(slope: line.slope, offset: line.offset)
  let (lowest, highest) = (Int32Vector(repeating: -128), Int32Vector(repeating: 127))
  @inline(__always) func result(_ sum: Int32Vector) -> Int32Vector { requantizer.result(sum &+ line.shift) }
  @inline(__always) func limited(_ result: Int32Vector) -> Int32Vector {
    let limited = apus_select(apus_less(result, lowest), lowest, result)
    return apus_select(apus_less(highest, limited), highest, limited)
  }
  let least: Int32Vector = UnsafeRawPointer(fit.least).vector()
  let greatest: Int32Vector = UnsafeRawPointer(fit.greatest).vector()
  var hits = pending
  hits = hits & ~differ(limited(result(least)), survey.first)
  hits = hits & ~differ(limited(result(greatest)), survey.last)
  var steps = Steps(fit)
  var step: Int32 = -127
  // The columns that are left decide whether the rest is looked at: most lines that miss do so early.
  while step <= 127, apus_sum_lanes(hits) != 0 {
    let end = min(step &+ 16, 128)
    while step < end {
      // Limits change nothing about either comparison.
      let next = Int32Vector(repeating: step)
      let isEarly = apus_less(next &- 1, result(steps.place &- 1))
      let isLate = apus_less(result(steps.place), next)
      hits = hits & ~((isEarly | isLate) & steps.isReached)
      steps.advance()
      step &+= 1
    }
  }
  return pending & ~hits
}

@inline(__always)
private func differ(_ a: Int32Vector, _ b: Int32Vector) -> Int32Vector { apus_less(a, b) | apus_less(b, a) }
