import Apus
import CApus
import CLibrary

/// What callers pass, checked before anything reads it.
enum Arguments {
  /// A name or a path: the bytes before the NUL.
  /// - Throws: ``ApusError`` of kind `argument` where there is none.
  static func name(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(ApusError) -> String {
    guard let name = name(pointer) else { throw missing(what) }
    return name
  }

  /// The same, or nil.
  static func name(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// JSON, or an empty object where there is none.
  /// - Throws: ``ApusError`` of kind `argument` for bytes that are no UTF-8.
  static func json(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(ApusError) -> String {
    guard let pointer else { return "{}" }
    guard let text = String(validatingCString: pointer) else {
      throw ApusError(.argument, "\(what) are bytes that are no UTF-8", expected: "a JSON object")
    }
    return text
  }

  /// A size or a count.
  /// - Throws: ``ApusError`` of kind `argument` for a negative one.
  static func count(_ number: Int64, _ what: @autoclosure () -> String) throws(ApusError) -> Int {
    guard number >= 0 else { throw ApusError(.argument, "\(what()) is \(number)", expected: "0 or more") }
    return Int(number)
  }

  /// The best so many, nil for all.
  static func topK(_ number: Int64) throws(ApusError) -> Int? {
    let count = try count(number, "top_k")
    return count == 0 ? nil : count
  }

  /// Where a result goes.
  /// - Throws: ``ApusError`` of kind `argument` where there is no such place.
  static func place<Result>(
    _ pointer: UnsafeMutablePointer<Result>?, _ what: String
  ) throws(ApusError) -> UnsafeMutablePointer<Result> {
    guard let pointer else { throw missing(what) }
    return pointer
  }

  /// Elements in a row.
  /// - Throws: ``ApusError`` of kind `argument` for a negative count, or where there are none though some are counted.
  static func elements<Element>(
    _ pointer: UnsafePointer<Element>?, _ number: Int64, _ what: String
  ) throws(ApusError) -> UnsafeBufferPointer<Element> {
    let count = try count(number, "the number of \(what)")
    guard count == 0 || pointer != nil else { throw missing(what) }
    guard count <= Int.max / max(1, MemoryLayout<Element>.stride) else {
      throw ApusError(.argument, "\(number) \(what)", expected: "as many as memory holds")
    }
    return UnsafeBufferPointer(start: pointer, count: count)
  }

  static func missing(_ what: String) -> ApusError {
    ApusError(.argument, "\(what): NULL", expected: "an address")
  }
}

/// A struct that begins with its size, by which programs of other versions have fewer fields, or more.
protocol SizedStruct {
  init()
  var size: Int64 { get set }
}

extension apus_call: SizedStruct {}
extension apus_image: SizedStruct {}
extension apus_tensor: SizedStruct {}
extension apus_encoding_options: SizedStruct {}

extension SizedStruct {
  /// A struct of a caller's.
  /// - Throws: ``ApusError`` of kind `argument` for one that does not say its size.
  static func read(_ pointer: UnsafePointer<Self>) throws(ApusError) -> Self {
    try checkSize(pointer.pointee.size)
    return pointer.pointee
  }

  /// Where several in a row are, each as far behind the one before as the first is large.
  static func places(
    _ pointer: UnsafePointer<Self>?, _ number: Int64, _ what: String
  ) throws(ApusError) -> SizedStructs<Self> {
    let count = try Arguments.elements(pointer, number, what).count
    guard count > 0, let pointer else { return SizedStructs(start: nil, stride: 0, count: 0) }
    try checkSize(pointer.pointee.size)
    let stride = Int(pointer.pointee.size)
    guard count <= Int.max / stride else {
      throw ApusError(.argument, "\(number) \(what)", expected: "as many as memory holds")
    }
    return SizedStructs(start: UnsafeRawPointer(pointer), stride: stride, count: count)
  }

  /// The first version of the interface has no fields beyond these.
  private static func checkSize(_ size: Int64) throws(ApusError) {
    let least = MemoryLayout<Self>.stride
    guard size >= least, size < 1 << 20, size % Int64(MemoryLayout<Self>.alignment) == 0 else {
      throw ApusError(
        .argument, "\(Self.self).size is \(size)", expected: "\(least)",
        advice: "Make it with APUS_INIT, or set its size to sizeof.")
    }
  }
}

/// Structs of a caller's in a row.
struct SizedStructs<Struct: SizedStruct> {
  fileprivate let start: UnsafeRawPointer?
  let stride: Int
  let count: Int

  /// The struct at a position below ``count``.
  subscript(index: Int) -> UnsafePointer<Struct> {
    // In an empty row nobody asks.
    guard let start else { preconditionFailure("no struct \(index)") }
    return (start + index * stride).assumingMemoryBound(to: Struct.self)
  }
}

extension apus_text {
  /// The text; a byte that is no UTF-8 counts as U+FFFD.
  /// - Throws: ``ApusError`` of kind `argument` for a length that cannot be, or a missing address.
  func text(_ what: @autoclosure () -> String) throws(ApusError) -> String {
    guard let data else {
      guard length == 0 else { throw Arguments.missing(what()) }
      return ""
    }
    guard length >= -1 else {
      throw ApusError(.argument, "\(what()): a length of \(length)", expected: "-1 or more")
    }
    let count = length < 0 ? strlen(data) : Int(length)
    return String(decoding: UnsafeRawBufferPointer(start: data, count: count), as: UTF8.self)
  }

  /// Several.
  static func texts(
    _ pointer: UnsafePointer<apus_text>?, _ number: Int64, _ what: String
  ) throws(ApusError) -> [String] {
    var texts: [String] = []
    for (index, text) in try Arguments.elements(pointer, number, what + "s").enumerated() {
      texts.append(try text.text("\(what) \(index)"))
    }
    return texts
  }
}
