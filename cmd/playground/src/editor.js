// An editor: YAML, the language server's findings, hover and completion, and the fixes as actions.
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { hoverTooltips, serverCompletion } from "@codemirror/lsp-client";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

// The page's colours, which follow light and dark.
const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
    { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--text)" },
    { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName, tags.special(tags.string)], color: "var(--warning)" },
    { tag: [tags.comment, tags.lineComment], color: "var(--line)" },
  ]),
);
const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--ground)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { color: "var(--text)", backgroundColor: "var(--raised)", borderRightColor: "var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selected)",
  },
  ".cm-tooltip, .cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)" },
});

// DiagnosticSeverity of LSP 3.17
const SEVERITY = { 1: "error", 2: "warning", 3: "info", 4: "hint" };


export function offsetOf(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

// Shadow DOM: there CodeMirror's styles are objects, which a strict content security policy allows.
export function makeEditor(parent, { label, text, onChange }) {
  const root = parent.attachShadow({ mode: "open" });
  const server = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        yaml(),
        lintGutter(),
        keymap.of([indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label }),
        COLOURS,
        THEME,
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
        server.of([]),
      ],
    }),
  });
  // What scrolls can be reached with the keyboard.
  view.scrollDOM.tabIndex = 0;
  return {
    view,
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    // The document belongs to the client from now on; null: to none.
    connect(client, uri) {
      const extension = client ? [client.plugin(uri, "yaml"), serverCompletion(), hoverTooltips()] : [];
      view.dispatch({ effects: server.reconfigure(extension) });
    },
    // findings: diagnostics of LSP, with `fixes`: code actions.
    show(findings, applyFix) {
      const { doc } = view.state;
      const diagnostics = findings.map((finding) => ({
        from: offsetOf(doc, finding.range.start),
        to: offsetOf(doc, finding.range.end),
        severity: SEVERITY[finding.severity] ?? "info",
        source: finding.code,
        message: finding.message,
        actions: finding.fixes.map((fix) => ({ name: fix.title, apply: () => applyFix(fix) })),
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    edit(edits) {
      const { doc } = view.state;
      const changes = edits.map(({ range, newText }) => ({
        from: offsetOf(doc, range.start),
        to: offsetOf(doc, range.end),
        insert: newText,
      }));
      view.dispatch({ changes });
    },
    reveal(range) {
      const from = offsetOf(view.state.doc, range.start);
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
  };
}
