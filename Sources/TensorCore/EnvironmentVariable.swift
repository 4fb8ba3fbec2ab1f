import CLibrary

/// The variables of the environment that Apus reads; `apus list environment` prints them.
package enum EnvironmentVariable: String, CaseIterable, Sendable {
  case instructionSet = "APUS_ISA"
  case poolSize = "APUS_POOL_SIZE"
  case openMPThreads = "OMP_NUM_THREADS"
  case cache = "APUS_CACHE"
  case cacheLimit = "APUS_CACHE_LIMIT"
  case cacheHome = "XDG_CACHE_HOME"
  case dataHome = "XDG_DATA_HOME"
  case huggingFaceCache = "HF_HUB_CACHE"
  case huggingFaceCacheBefore = "HUGGINGFACE_HUB_CACHE"
  case huggingFaceHome = "HF_HOME"
  case noColour = "NO_COLOR"
  case terminal = "TERM"
  case locale = "LC_ALL"
  case messageLocale = "LC_MESSAGES"
  case language = "LANG"

  package var name: String { rawValue }

  /// The value in this process, or in `environment`; nil if it is unset or empty.
  package func value(in environment: [String: String] = ProcessEnvironment.variables) -> String? {
    environment[rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number that it says; nil when it says nothing, or may be any text.
  /// - Throws: ``ApusError`` of kind `argument` when it says anything else.
  package func number(
    in environment: [String: String] = ProcessEnvironment.variables
  ) throws(ApusError) -> Int? {
    guard let text = value(in: environment), let (range, expected) = numbers else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw ApusError(.argument, "is not understood", expected: expected, at: "\(name)=\(text)")
    }
    return number
  }

  /// The numbers that it may say, and words for them; nil for a text.
  private var numbers: (range: ClosedRange<Int>, expected: String)? {
    switch self {
    case .poolSize: (1...256, "a number from 1 to 256")
    case .cacheLimit: (0...Int.max, "a number of bytes")
    default: nil
    }
  }

  /// - Throws: ``ApusError`` of kind `argument` when it says what it cannot mean.
  package func check(in environment: [String: String] = ProcessEnvironment.variables) throws(ApusError) {
    _ = try number(in: environment)
    guard self == .cache, let text = value(in: environment) else { return }
    guard ["on", "off"].contains(text.lowercased()) else {
      throw ApusError(
        .argument, "is not understood", expected: "on or off", at: "\(name)=\(text)",
        advice: "\(Self.cacheHome.name) says where packed weights are kept.")
    }
  }

  private static let checked: Result<Void, ApusError> = Result { () throws(ApusError) in
    let environment = ProcessEnvironment.variables
    for variable in allCases { try variable.check(in: environment) }
  }

  /// Where a variable is read it counts as not set when it is not understood, so that programs have to ask.
  /// - Throws: ``ApusError`` of kind `argument` when a variable of this process says what it cannot mean.
  package static func check() throws(ApusError) { try checked.get() }

  package var meaning: String {
    switch self {
    case .instructionSet:
      """
      the instruction set of all kernels (`avx2`), or of single families (`integer=avx2`); \(Doing.listKernels) \
      shows them
      """
    case .poolSize: "the number of threads, 1 to 256"
    case .openMPThreads: "the most threads that are used; Ray and Spark set it"
    case .cache: "`on`, or `off`, which keeps no packed weights of large models on disk"
    case .cacheLimit: "how many bytes of packed weights are kept"
    case .cacheHome: "the folder of caches: packed weights are kept in `apus` there"
    case .dataHome: "the folder of programs' data: the index of photographs is in `apus/photos` there"
    case .huggingFaceCache: "where models are looked for by their names"
    case .huggingFaceCacheBefore: "the same, by its former name"
    case .huggingFaceHome: "the folder of Hugging Face's libraries: models are looked for in `hub` there"
    case .noColour: "anything but an empty text: `apus` prints no colours"
    case .terminal: "`dumb`: `apus` prints the same as into a pipe"
    case .locale, .messageLocale: "the language of advice, before `LANG`"
    case .language: "the language of advice, such as `th_TH.UTF-8`"
    }
  }

  /// The value if it is unset.
  package var fallback: String {
    switch self {
    case .instructionSet: "the fastest that the processor has"
    case .poolSize: "the processors that the process may use"
    case .openMPThreads: "no limit"
    case .cache: "on"
    case .cacheLimit: "17179869184 (16 GiB)"
    case .cacheHome: "`~/.cache`"
    case .dataHome: "`~/.local/share`"
    case .huggingFaceCache, .huggingFaceCacheBefore: "`$HF_HOME/hub`"
    case .huggingFaceHome: "`$XDG_CACHE_HOME/huggingface`"
    case .noColour: "colours, where standard output is a terminal"
    case .terminal: "as `dumb`"
    case .locale, .messageLocale, .language: "a text of no stated language, else English"
    }
  }
}
