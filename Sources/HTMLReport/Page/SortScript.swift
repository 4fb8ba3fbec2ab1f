/// The one script of a page: a click on the head of a column, or a key, sorts the table by it. Without scripts the rows stand
/// as they were written.
enum SortScript {
  /// What the page's policy allows to run: the digest of ``text``, which a browser compares. `Browser` tests fail when they
  /// do not belong together; the browser's message has the new one.
  static let source = "'sha256-uK7Zz8SAWejUFFxAcLdmXA2NRwLiOAvNolfft7UglUk='"

  /// Numbers count as numbers, with their unit: minus signs, spaces between thousands and remarks in small print are no part
  /// of them. What is no number comes last. The third click restores the order that the page had.
  static let text = #"""
    "use strict";
    const sizes = {
      ns: 1e-9, "µs": 1e-6, ms: 1e-3, KiB: 1024, MiB: 1048576, GiB: 1073741824, TiB: 1099511627776,
    };
    const words = (cell) => {
      const copy = cell.cloneNode(true);
      for (const remark of copy.querySelectorAll("small")) remark.remove();
      return copy.textContent.trim();
    };
    const number = (text) => {
      const plain = text.replaceAll("\u2212", "-").replace(/(\d)\u202f(?=\d)/g, "$1");
      const [, value, unit] = plain.match(/([+-]?(?:\u221e|\d+(?:\.\d+)?(?:e[+-]?\d+)?))\s*([^\s]*)/) ?? [];
      return value && Number(value.replace("\u221e", "Infinity")) * (sizes[unit] ?? 1);
    };
    const compared = (a, b) => (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b);
    for (const table of document.querySelectorAll("table.sortable")) {
      const body = table.tBodies[0], written = [...body.rows], heads = [...table.tHead.rows[0].cells];
      const sort = (column) => {
        const next = { null: "ascending", ascending: "descending" }[heads[column].getAttribute("aria-sort")];
        for (const head of heads) head.removeAttribute("aria-sort");
        if (!next) return body.append(...written);
        heads[column].setAttribute("aria-sort", next);
        const sign = next === "ascending" ? 1 : -1;
        const isNumber = heads[column].classList.contains("number");
        const keys = new Map(written.map((row) => {
          const text = words(row.cells[column]);
          return [row, isNumber ? number(text) : text];
        }));
        body.append(...[...written].sort((a, b) => {
          const [first, second] = [keys.get(a), keys.get(b)];
          if (first === undefined || second === undefined) return (first === undefined) - (second === undefined);
          return sign * compared(first, second) || 0;
        }));
      };
      heads.forEach((head, column) => {
        if (head.localName !== "th") return;
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        button.addEventListener("click", () => sort(column));
        head.append(button);
      });
    }
    """#
}
