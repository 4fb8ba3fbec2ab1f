import Foundation

/// A real browser without a window, to look at pages as readers will.
package struct Browser {
  /// Chromium or Chrome: `$APUS_BROWSER`, else one on the PATH; nil where there is none.
  package static let program: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["APUS_BROWSER"] { return named }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Whether there is one; tests that need it are enabled by this condition.
  package static var isPresent: Bool { program != nil }

  /// What a page looks like at one width of the window.
  package struct Look: Decodable, Sendable {
    package let width: Double
    /// The width of all there is to scroll to.
    package let scrollWidth: Double
    /// Elements that stick out at the right, by name and class.
    package let protruding: [String]
    /// Addresses that the page asked for.
    package let requests: [String]
    /// Pictures that did not load.
    package let brokenImages: Int
    /// Pictures and drawings that are shown.
    package let images: Int
    package let drawings: Int
    /// The smallest letters in a drawing, in pixels.
    package let smallestText: Double
    /// Elements that no report has: scripts that no policy names by a digest, frames, forms, links, handlers of events.
    package let foreign: [String]
    /// What the deed of the visit returned.
    package let answer: String
    package let title: String
  }

  /// What a page looks like, and what the browser complained of.
  package struct Visit: Sendable {
    package let looks: [Look]
    package let complaints: [String]
  }

  package struct Failure: Error {
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  /// Opens a page in frames of the given widths.
  /// - Parameter deed: statements of JavaScript that use `page`, its document, and may return a text.
  package static func visit(_ html: String, widths: [Int], deed: String = "") throws -> Visit {
    let folder = try TemporaryFolder()
    try folder.write("page.html", html)
    let frames = widths.map {
      #"<iframe src="page.html" width="\#($0)" height="900" frameborder="0"></iframe>"#
    }
    let wrapper = try folder.write(
      "frames.html",
      """
      <!DOCTYPE html><meta charset="utf-8"><body>\(frames.joined())<pre id="looks"></pre>
      <script>const deed = (page) => { \(deed) };
      \(inspection)</script>
      """)
    let (dom, log) = try run([
      "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
      "--allow-file-access-from-files", "--user-data-dir=\(folder.path)/profile", "--enable-logging=stderr",
      "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=2000,1000", "--dump-dom", "file://\(wrapper)",
    ])
    guard let start = dom.range(of: "LOOKS:["),
      let end = dom.range(of: "]:END", range: start.upperBound..<dom.endIndex)
    else { throw Failure("the browser did not show the page: \(log.suffix(2000))") }
    let json = Data(base64Encoded: String(dom[start.upperBound..<end.lowerBound])) ?? Data()
    return Visit(
      looks: try JSONDecoder().decode([Look].self, from: json),
      complaints: log.split(separator: "\n").filter { $0.contains("CONSOLE") }.map(String.init))
  }

  /// Runs the browser; what it printed to both streams.
  private static func run(_ arguments: [String]) throws -> (output: String, log: String) {
    guard let program else { throw Failure("there is no browser") }
    let folder = try TemporaryFolder()
    let output = try folder.write("output", ""), log = try folder.write("log", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
    let watchdog = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 90, execute: watchdog)
    process.waitUntilExit()
    watchdog.cancel()
    return (
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self),
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
    )
  }

  /// What runs in the outer page when all frames are loaded.
  private static let inspection = """
    addEventListener("load", () => {
      const looks = [...document.querySelectorAll("iframe")].map((frame) => {
        const view = frame.contentWindow, page = frame.contentDocument;
        const scrolls = (e) => e.parentElement && e.parentElement.closest(".scroll");
        const sticksOut = (e) => e.getBoundingClientRect().right > view.innerWidth + 0.5 && !scrolls(e);
        const shown = (e) => e.getBoundingClientRect().width > 0;
        const all = [...page.querySelectorAll("*")];
        const describe = (e) => e.localName + "." + (e.getAttribute("class") || "");
        const scale = (svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const size = (t) => parseFloat(view.getComputedStyle(t).fontSize) * scale(t.ownerSVGElement);
        const drawings = [...page.querySelectorAll("svg")].filter(shown);
        const images = [...page.images];
        const foreign = ["script", "iframe", "object", "embed", "form", "link", "base", "a"];
        const policy = page.querySelector("meta[http-equiv=Content-Security-Policy]")?.content ?? "";
        const allowed = (e) => e.localName === "script" && !e.src && policy.includes("script-src 'sha256-");
        const handled = (e) => [...e.attributes].some((a) => a.name.startsWith("on"));
        const answer = deed(page) ?? "";
        return {
          answer, width: view.innerWidth, scrollWidth: page.scrollingElement.scrollWidth, title: page.title,
          protruding: all.filter(sticksOut).map(describe),
          requests: view.performance.getEntriesByType("resource").map((e) => e.name),
          brokenImages: images.filter((i) => !i.complete || i.naturalWidth === 0).length,
          images: images.length, drawings: drawings.length,
          smallestText: Math.min(99, ...drawings.flatMap((s) => [...s.querySelectorAll("text")]).map(size)),
          foreign: all.filter((e) => (foreign.includes(e.localName) && !allowed(e)) || handled(e)).map(describe),
        };
      });
      const bytes = new TextEncoder().encode(JSON.stringify(looks));
      const text = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
      document.getElementById("looks").textContent = "LOOKS:[" + text + "]:END";
    });
    """
}
