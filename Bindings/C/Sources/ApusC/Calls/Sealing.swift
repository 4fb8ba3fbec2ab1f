import Apus
import ApusService
import CApus
import CLibrary
import JSONCoding

@c @implementation
public func apus_seal(_ scope: UnsafePointer<CChar>?, _ error: ErrorPlace) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let name = Arguments.name(scope) ?? Privacy.Scope.alone.rawValue
    guard
      let scope = [Privacy.Scope.alone, .answering].first(where: {
        Array($0.rawValue.utf8) == Array(name.utf8)
      })
    else {
      throw ApusError(.argument, "the scope '\(name)'", expected: "alone or answering")
    }
    try Privacy.seal(scope)
  }
}

@c @implementation
public func apus_seal_json(
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let json = try Arguments.place(json, "json")
    let report = Privacy.report()
    guard case .object(let members)? = JSONText(encoding: report) else {
      throw ApusError(.resources, "the system does not say what holds")
    }
    try Entry.give(JSONText.object([("is_local", .bool(report.isLocal))] + members).bytes, to: json)
  }
}
