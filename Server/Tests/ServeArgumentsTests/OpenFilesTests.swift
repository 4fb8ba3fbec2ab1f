import Apus
import Testing

@testable import ServeArguments

@Suite struct OpenFilesTests {
  @Test func connectionsFitTheFilesThatMayBeOpen() throws {
    let connections = { (wanted: Int, limit: Int, photographs: Bool) in
      try OpenFiles.connections(wanted, within: limit, threads: 2, hasPhotographs: photographs)
    }
    #expect(try connections(1024, 1 << 20, false) == 1024)
    #expect(try connections(1024, 1024, false) == 1024 - 46)
    #expect(try connections(1024, 1046, true) == 500)
    #expect(try connections(1, 47, false) == 1)
    for limit in [0, 10, 53] {
      #expect {
        try connections(1024, limit, false)
      } throws: { error in
        guard let error = error as? ApusError else { return false }
        return error.kind == .resources && "\(error)".contains("\(limit) files")
          && "\(error)".contains("ulimit")
      }
    }
  }
}
