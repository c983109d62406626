// What an API server decides about an object: the answer of `kubectl-vapcheck test -o json`, as a table.
import { make } from "./dom.js";

function makeRow(tag, ...cells) {
  const row = make("tr");
  row.append(...cells.map(([text, className]) => make(tag, text, className)));
  return row;
}

function rowsOf({ expression, value, error, message, values }) {
  const rows = [makeRow("td", [expression, "code"], [error ?? String(value), error ? "failed" : "code"])];
  if (message) {
    rows.push(makeRow("td", [message]));
    rows[1].firstChild.colSpan = 2;
  }
  const parts = values.map((part) =>
    makeRow("td", [part.expression, "code part"], [part.error ?? part.value, part.error ? "" : "code"]),
  );
  return [...rows, ...parts];
}

// "23 of 10,000,000 that an API server allows", and of the match conditions where there are any.
function costOf({ expressions, expressionsLimit, matchConditions, matchConditionsLimit }) {
  const share = (cost, limit) => `${cost.toLocaleString("en")} of ${limit.toLocaleString("en")}`;
  const conditions = matchConditions > 0 ? `, match conditions ${share(matchConditions, matchConditionsLimit)}` : "";
  return `Cost: ${share(expressions, expressionsLimit)}${conditions}`;
}

export function makeDecision({ actual, expressions, cost, notes }) {
  const table = make("table");
  table.append(makeRow("th", ["Expression, and its parts"], ["Value"]), ...expressions.flatMap(rowsOf));
  const isAdmitted = ["admit", "allow"].includes(actual);
  return [
    make("p", `The API server's decision: ${actual}`, isAdmitted ? "admit" : "deny"),
    table,
    make("p", costOf(cost)),
    ...notes.map((note) => make("p", `Note: ${note}`)),
  ];
}
