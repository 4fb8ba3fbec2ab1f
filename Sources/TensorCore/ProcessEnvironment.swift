// `environ` belongs to nobody: the C library asks programs not to change it while other threads read it.
@preconcurrency import CLibrary

/// The environment of the process. Values may be any bytes, see ``FileName``.
package enum ProcessEnvironment {
  /// The variables by their names, as they are now.
  package static var variables: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = FileName.text(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
      if let sign = text.firstIndex(of: "=") {
        variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
      }
      next += 1
    }
    return variables
  }

  /// The user's home, by `HOME`, else by the system's list of users; nil where neither names one.
  package static func home(in environment: [String: String] = variables) -> String? {
    environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? homeOfUser
  }

  /// The home of the user that the process runs as, by the system's list of users; nil where that names none.
  package static var homeOfUser: String? {
    var (user, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { text in
      guard let start = text.baseAddress, getpwuid_r(getuid(), &user, start, text.count, &found) == 0,
        found != nil, let home = user.pw_dir
      else { return nil }
      return FileName.text(UnsafeRawBufferPointer(start: home, count: strlen(home)))
    }
  }
}
