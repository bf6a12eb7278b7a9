// What every script of this folder makes its parts with; it stands before them in what a browser gets.

/** An element with attributes and words, as the last part of its parent. */
function html(name, attributes = {}, parent = null, text = "") {
  const node = document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  node.textContent = text;
  parent?.append(node);
  return node;
}
