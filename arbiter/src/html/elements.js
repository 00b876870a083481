// Makes elements. Texts only ever become text nodes: no name of an engine can turn into markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with attributes (functions are listeners) and children. */
const element = (name, attributes = {}, ...children) =>
  furnish(document.createElement(name), attributes, children);

/** The same for an element of a drawing. */
const shape = (name, attributes = {}, ...children) =>
  furnish(document.createElementNS(SVG, name), attributes, children);

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Sets an attribute, or takes it away where there is nothing to say. */
function mark(made, name, value) {
  if (value === null) made.removeAttribute(name);
  else made.setAttribute(name, value);
}
