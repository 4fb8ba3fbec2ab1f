import TensorCore

extension RootState {
  /// Why files below the root are not taken for gone.
  var reason: String {
    switch self {
    case .present: "it is there"
    case .empty: "it is empty"
    case .absent(let error): error.problem
    case .otherDisk:
      "it is on another disk than before, and left alone until \(Setting.takesOtherDisks) takes it"
    }
  }
}
