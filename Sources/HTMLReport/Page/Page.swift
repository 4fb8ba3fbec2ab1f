/// One self-contained page: no script, no font, no picture is fetched, and its policy forbids that one ever is. The only
/// script that may run is the one that sorts tables, in pages that have such.
package struct Page: Sendable {
  package let title: String
  package let language: String
  package let body: [Markup]

  package init(title: String, language: String = "en-GB", body: [Markup]) {
    self.title = title
    self.language = language
    self.body = body
  }

  /// Nothing may be loaded; pictures only as they stand in the page, and a script by its digest.
  private var policy: String {
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
      + (hasSortableTable ? "; script-src \(SortScript.source)" : "")
  }

  private var hasSortableTable: Bool { Markup.group(body).hasSortableTable }

  /// The whole file.
  package var html: String {
    let facts: [Markup] = [
      .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag("meta", ["name": "color-scheme", "content": "light dark"]),
      .tag("meta", ["name": "referrer", "content": "no-referrer"]),
      .tag("title", [.text(title)]),
    ]
    let main = Markup.tag("main", body)
    let script = hasSortableTable ? "\n<script>\(SortScript.text)</script>" : ""
    return """
      <!DOCTYPE html>
      <html lang="\(language.filter { $0.isASCII && ($0.isLetter || $0 == "-") })">
      <head>
      \(facts.map(\.html).joined(separator: "\n"))
      <style>
      \(StyleSheet.text)</style>
      </head>
      <body>
      \(main.html)\(script)
      </body>
      </html>

      """
  }
}
