const number = (value) => value.toLocaleString("en");
const short = (text, most) => text.length > most ? "…" + text.slice(1 - most) : text;
function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (name) made.className = name;
  return made;
}
// A document's name, as a link where it has an address that a browser should follow.
function named(id, url) {
  if (!/^https?:/.test(url || "")) return element("span", id);
  const link = element("a", id);
  link.href = url; link.rel = "noreferrer";
  return link;
}
