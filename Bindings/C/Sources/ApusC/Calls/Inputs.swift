import Apus
import CApus

extension WatchedCall {
  /// What comes of each of several inputs, one after the other: all results, or the first error.
  /// - Parameters:
  ///   - what: what an input is called.
  ///   - work: given the input's number.
  func each<Value>(
    _ count: Int, _ what: String, _ work: (Int) throws(ApusError) -> Value
  ) throws(ApusError) -> [Value?] {
    var values: [Value?] = []
    try clearErrors(count)
    for index in 0..<count {
      try checkCancelled()
      do throws(ApusError) {
        values.append(try work(index))
      } catch {
        values.append(try failed(error, index, of: count, what))
      }
      tell("run", Double(index + 1) / Double(count))
    }
    return values
  }

  /// The same of results that came together.
  func each<Value>(_ results: [Result<Value, ApusError>], _ what: String) throws(ApusError) -> [Value?] {
    var values: [Value?] = []
    try clearErrors(results.count)
    for (index, result) in results.enumerated() {
      do throws(ApusError) {
        values.append(try result.get())
      } catch {
        values.append(try failed(error, index, of: results.count, what))
      }
    }
    return values
  }

  /// No error so far.
  func clearErrors(_ count: Int) throws(ApusError) {
    guard let errors else { return }
    for index in 0..<count { errors[index] = nil }
  }

  /// Puts the error of an input where the caller wants it, or ends the call with it.
  private func failed<Value>(
    _ error: ApusError, _ index: Int, of count: Int, _ what: String
  ) throws(ApusError) -> Value? {
    guard error.kind != .cancelled, let errors else {
      throw error.kind == .cancelled || count == 1 ? error : error.at("\(what) \(index)")
    }
    errors[index] = error.block()
    return nil
  }
}
