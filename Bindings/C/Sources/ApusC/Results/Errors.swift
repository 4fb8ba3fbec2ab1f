import Apus
import CApus

extension ApusError {
  var status: apus_status {
    switch kind {
    case .file: APUS_FILE
    case .malformedModel: APUS_MALFORMED_MODEL
    case .unsupportedModel: APUS_UNSUPPORTED_MODEL
    case .image: APUS_IMAGE
    case .configuration: APUS_CONFIGURATION
    case .argument: APUS_ARGUMENT
    case .cancelled: APUS_CANCELLED
    case .resources: APUS_RESOURCES
    }
  }

  /// The error as the caller gets it; nil where there is no memory even for that.
  func block() -> UnsafeMutablePointer<apus_error>? {
    do throws(ApusError) {
      var block = Block()
      let head = try block.reserve(apus_error.self)
      func place(_ text: String?) throws(ApusError) -> Int? {
        guard let text else { return nil }
        return try block.add(text)
      }
      let message = try block.add(description)
      let problem = try block.add(problem)
      let (expected, file) = (try place(expected), try place(file.map(FileName.readable)))
      let (location, advice) = (try place(location), try place(advice))
      block.write { base in
        func text(_ place: Int?) -> UnsafePointer<CChar>? {
          place.map { UnsafePointer(base.address($0, of: CChar.self)) }
        }
        let error = base.address(head, of: apus_error.self)
        error.pointee.size = Int64(MemoryLayout<apus_error>.stride)
        error.pointee.status = Int32(bitPattern: status.rawValue)
        error.pointee.message = text(message)
        error.pointee.problem = text(problem)
        error.pointee.expected = text(expected)
        error.pointee.file = text(file)
        error.pointee.`where` = text(location)
        error.pointee.advice = text(advice)
      }
      return try block.make().address(head)
    } catch {
      return nil
    }
  }
}

extension apus_status {
  /// As ``ApusError/Kind`` has it, in snake_case.
  static let names: [StaticString] = [
    "ok", "file", "malformed_model", "unsupported_model", "image", "configuration", "argument", "cancelled",
    "resources",
  ]
}
