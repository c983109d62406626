export const element = (id) => document.getElementById(id);

export function make(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function makeButton(text, className) {
  const made = make("button", text, className);
  made.type = "button";
  return made;
}
