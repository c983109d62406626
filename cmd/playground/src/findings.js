// A list of findings.
import { make, makeButton } from "./dom.js";

const PAGES = "https://github.com/vapcheck/vapcheck/blob/main/cmd/kubectl-vapcheck/FINDINGS.md#";
// DiagnosticSeverity of LSP 3.17
const SEVERITY = { 1: "error", 2: "warning", 3: "info", 4: "hint" };
const WORDS = { error: "error", warning: "warning", info: "note", hint: "advice" };

function makeItem({ code, codeDescription, fixes, message, range, severity }) {
  const name = SEVERITY[severity] ?? "info";
  const item = make("li", undefined, name);
  const head = make("p");
  const link = make("a", code);
  link.href = codeDescription?.href ?? PAGES + code;
  link.rel = "noreferrer";
  link.target = "_blank";
  head.append(make("span", WORDS[name], "severity"), " ", link, " ", makeButton(`line ${range.start.line + 1}`, "place"));
  item.append(head, make("p", message), ...fixes.map(({ title }) => makeButton(title, "fix")));
  return item;
}

// "2 errors, 1 advice", for who hears it.
export function summaryOf(found) {
  const count = (name) => found.filter(({ finding }) => SEVERITY[finding.severity] === name).length;
  const say = (number, word) => (number === 1 || word === "advice" ? `${number} ${word}` : `${number} ${word}s`);
  const said = Object.entries(WORDS).flatMap(([name, word]) => (count(name) > 0 ? [say(count(name), word)] : []));
  return said.join(", ") || "No findings";
}

// What is shown is {name, finding, snapshot}: the document, a diagnostic of LSP with `fixes`, and the text that it is about.
export class FindingList {
  #list;
  #shown = [];
  #items = new Map();

  constructor(list, { reveal, apply }) {
    this.#list = list;
    list.onclick = ({ target }) => {
      const about = this.#shown[[...list.children].indexOf(target.closest("li"))];
      if (target.className === "place") reveal(about);
      if (target.className === "fix") apply(about, about.finding.fixes.find(({ title }) => title === target.textContent));
    };
  }

  // What is in the list already stays as it is, with its focus.
  show(found) {
    const before = this.#items;
    this.#shown = found;
    this.#items = new Map();
    const items = found.map(({ name, finding }) => {
      const key = name + JSON.stringify(finding);
      const item = (!this.#items.has(key) && before.get(key)) || makeItem(finding);
      this.#items.set(key, item);
      return item;
    });
    if (items.length === 0) items.push(make("li", "No findings."));
    const { children } = this.#list;
    const isSame = items.length === children.length && items.every((item, index) => item === children[index]);
    if (!isSame) this.#list.replaceChildren(...items);
  }
}
