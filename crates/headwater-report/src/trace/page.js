const { documents, sources } = data;
const copied = (document) => document.tokens - document.fresh;
const percent = (part, whole) => whole ? `${Math.round(100 * part / whole)} %` : "–";
// Nobody can say how much is new of a document that was too short to compare.
const novelty = (one) => one.too_short ? "" : `${percent(one.fresh, one.tokens)} new`;
const hue = (source) => Math.round((source * 137.508 + 205) % 360);
const tokens = (count) => `${number(count)} ${count === 1 ? "token" : "tokens"}`;
const placeOf = new Map(sources.flatMap((source, at) => source.document === undefined ? [] : [[source.document, at]]));
let here = -1, order = [];

// The list: built once, then only sorted and filtered, so that a thousand documents stay quick.
const list = document.getElementById("list");
function bar(pieces, total, name = "bar") {
  const made = element("div", "", name);
  made.setAttribute("aria-hidden", "true");
  for (const [source, count] of pieces) {
    const part = element("i", "", source < 0 ? "new" : "");
    part.style.width = `${100 * count / Math.max(1, total)}%`;
    part.style.setProperty("--hue", hue(source));
    made.append(part);
  }
  return made;
}
const rows = documents.map((one, at) => {
  const item = element("li"), row = element("button", "", "row");
  row.append(element("span", one.too_short ? "too short" : `${percent(copied(one), one.tokens)} copied`, "soft share"), one.id);
  if (one.time) row.append(element("div", one.time, "soft"));
  row.append(bar(one.origins, one.tokens));
  row.onclick = () => open(at);
  item.append(row);
  return { item, row, name: `${one.id} ${one.url || ""}`.toLowerCase() };
});
const SORTS = {
  time: (a, b) => a - b,
  copied: (a, b) => copied(documents[b]) / (documents[b].tokens || 1) - copied(documents[a]) / (documents[a].tokens || 1) || a - b,
  new: (a, b) => documents[b].fresh - documents[a].fresh || a - b,
  long: (a, b) => documents[b].tokens - documents[a].tokens || a - b,
};
function arrange() {
  const wanted = document.getElementById("find").value.trim().toLowerCase();
  order = [...documents.keys()].filter((at) => rows[at].name.includes(wanted)).sort(SORTS[document.getElementById("sort").value]);
  list.replaceChildren(...order.map((at) => rows[at].item));
  document.getElementById("none").hidden = order.length > 0;
}
document.getElementById("find").addEventListener("input", arrange);
document.getElementById("sort").addEventListener("change", arrange);
list.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const focused = order.findIndex((at) => rows[at].row === document.activeElement), next = order[focused + step];
  if (next !== undefined) rows[next].row.focus();
});

// The reader: one document, its passages marked with the number of their origin.
const reader = document.getElementById("reader");
function open(at, from) {
  if (here >= 0) rows[here].row.removeAttribute("aria-current");
  here = at;
  rows[at].row.setAttribute("aria-current", "true");
  const one = documents[at], title = element("h2");
  title.append(named(one.id, one.url));
  reader.replaceChildren(title);
  if (from !== undefined && documents[from]) {
    const back = element("button", `← back to ${documents[from].id}`);
    back.onclick = () => open(from);
    title.before(back);
  }
  reader.append(element("p", [one.time, tokens(one.tokens), novelty(one), one.verdict].filter(Boolean).join(" · "), "soft"));
  const numbers = new Map(one.origins.map(([source], rank) => [source, rank + 1]));
  if (one.pieces) reader.append(bar(one.pieces.filter((piece) => piece[2] > 0).map((piece) => [piece[1], piece[2]]), one.tokens, "bar big"));
  if (one.origins.length) {
    const legend = element("ol", "", "legend");
    for (const [source, count] of one.origins) legend.append(entry(source, count, numbers.get(source), at));
    reader.append(legend);
  }
  reader.append(body(one, numbers, at));
  const takers = takersOf(at);
  if (takers.length) {
    reader.append(element("h2", "Taken from here by"));
    const legend = element("ol", "", "legend");
    for (const [taker, count] of takers) {
      const item = element("li"), link = element("button", documents[taker].id, "link");
      item.style.setProperty("--hue", hue(placeOf.get(at)));
      link.onclick = () => { open(taker, at); light(placeOf.get(at)); };
      item.append(link, element("span", [documents[taker].time, tokens(count)].filter(Boolean).join(" · "), "soft"));
      legend.append(item);
    }
    reader.append(legend);
  }
  lightArcs();
  history.replaceState(null, "", `#${encodeURIComponent(one.id)}`);
}
function entry(source, count, rank, at) {
  const item = element("li"), { id, time, document: place, url } = sources[source];
  item.style.setProperty("--hue", hue(source));
  item.append(element("b", `[${rank}]`));
  if (place === undefined) item.append(named(id, url));
  else {
    const link = element("button", id, "link");
    link.onclick = () => { open(place, at); reader.focus({ preventScroll: true }); };
    item.append(link);
  }
  item.append(element("span", [time, tokens(count)].filter(Boolean).join(" · "), "soft"));
  return item;
}
function body(one, numbers, at) {
  if (!one.pieces) return element("p", "The text of this document is not in the page: it would have become too large.", "soft");
  const text = element("div", "", "text");
  for (const [piece, source, count, evidence] of one.pieces) {
    if (source < 0) { text.append(piece); continue; }
    const mark = element("mark"), { id, time, document: place } = sources[source];
    mark.style.setProperty("--hue", hue(source));
    mark.dataset.source = source;
    mark.tabIndex = 0;
    mark.setAttribute("role", place === undefined ? "note" : "link");
    mark.setAttribute("aria-label", `${piece} – first in ${id}${time ? `, ${time}` : ""}${evidence ? `; ${evidence}` : ""}`);
    mark.append(element("sup", `[${numbers.get(source)}]`), piece);
    mark.dataset.tip = `first in ${id}${time ? `, ${time}` : ""} · ${tokens(count)}${evidence ? `: ${evidence}` : ""}`;
    const follow = () => { if (place !== undefined && !getSelection().toString()) { open(place, at); reader.focus({ preventScroll: true }); scrollTo({ top: reader.offsetTop - 10 }); } };
    mark.onclick = follow;
    mark.onkeydown = (event) => { if (event.key === "Enter") follow(); };
    text.append(mark);
  }
  return text;
}
function light(source) {
  for (const mark of reader.querySelectorAll("mark")) mark.classList.toggle("lit", Number(mark.dataset.source) === source);
  reader.querySelector("mark.lit")?.scrollIntoView({ block: "center" });
}

// Hover and focus say where a passage or an arc is from.
const tip = document.getElementById("tip");
function showTip(event) {
  const target = event.target.closest?.("[data-tip]");
  tip.hidden = !target;
  if (!target) return;
  tip.textContent = target.dataset.tip;
  const box = target.getBoundingClientRect(), x = event.clientX ?? box.left, y = event.clientY ?? box.bottom;
  tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18}px`;
}
for (const kind of ["pointermove", "focusin"]) addEventListener(kind, showTip);
addEventListener("focusout", () => { tip.hidden = true; });

// Who took from whom: documents on a line in the order of time, an arc from each origin to each copy, as thick as it is long.
const MOST_ARCS = 1500;
const edges = documents.flatMap((one, taker) => one.origins.map(([source, count]) => ({ taker, source, count, giver: sources[source].document })));
const takers = new Map();
for (const { taker, giver, count } of edges) if (giver !== undefined) (takers.get(giver) || takers.set(giver, []).get(giver)).push([taker, count]);
const takersOf = (at) => (takers.get(at) || []).sort((a, b) => a[0] - b[0]);
const arcs = [], points = [];
const svg = (tag, values) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  return made;
};
function draw() {
  const place = document.getElementById("arcs"), shown = edges.filter((edge) => edge.giver !== undefined).sort((a, b) => b.count - a.count).slice(0, MOST_ARCS);
  if (!shown.length) { document.getElementById("flow").hidden = true; return; }
  const room = place.clientWidth || 900, step = Math.max(documents.length > 400 ? 3 : 14, (room - 30) / Math.max(1, documents.length - 1));
  const width = step * (documents.length - 1) + 30, x = (at) => 15 + at * step;
  const widest = Math.max(...shown.map((edge) => edge.taker - edge.giver)), high = Math.min(150, Math.max(60, widest * step / 2));
  const most = Math.max(...shown.map((edge) => edge.count)), root = svg("svg", { width, height: high + 32, role: "img" });
  root.append(svg("line", { x1: 0, x2: width, y1: high + 8, y2: high + 8, stroke: "currentColor", "stroke-opacity": .25 }));
  arcs.length = points.length = 0;
  for (const { giver, taker, source, count } of shown.reverse()) {
    const rise = high * Math.sqrt((taker - giver) / widest) * 1.28, y = high + 8;
    const arc = svg("path", { d: `M${x(giver)} ${y}C${x(giver)} ${y - rise} ${x(taker)} ${y - rise} ${x(taker)} ${y}`,
      stroke: `hsl(${hue(source)} 60% 50%)`, "stroke-width": (1 + 7 * Math.sqrt(count / most)).toFixed(1), "data-tip": `${documents[taker].id} has ${tokens(count)} of ${documents[giver].id}` });
    arc.addEventListener("click", () => { open(taker, giver); light(source); });
    arcs.push({ arc, giver, taker });
    root.append(arc);
  }
  documents.forEach((one, at) => {
    const point = svg("circle", { cx: x(at), cy: high + 8, r: documents.length > 400 ? 1.5 : 3.5, "data-tip": [one.id, one.time, novelty(one)].filter(Boolean).join(" · ") });
    point.addEventListener("click", () => open(at));
    points.push(point);
    root.append(point);
  });
  const labels = Math.max(2, Math.min(8, Math.floor(width / 170)));
  for (let label = 0; label < labels; label++) {
    const at = Math.round(label * (documents.length - 1) / (labels - 1)), text = svg("text", { x: x(at), y: high + 26, "text-anchor": label === 0 ? "start" : label === labels - 1 ? "end" : "middle" });
    text.textContent = short(String(documents[at].time || documents[at].id).replace(/T.*/, ""), 24);
    root.append(text);
  }
  place.replaceChildren(root);
  document.querySelector("#flow figcaption").textContent = "Who took from whom: each dot is a document, in the order of time; an arc leads from an origin to its copy, the thicker the more." +
    (edges.length > MOST_ARCS ? ` The ${number(MOST_ARCS)} thickest of ${number(edges.length)} are drawn.` : "");
}
function lightArcs() {
  for (const { arc, giver, taker } of arcs) arc.classList.toggle("lit", giver === here || taker === here);
  points.forEach((point, at) => point.classList.toggle("here", at === here));
}

document.getElementById("about").textContent = `${number(documents.length + data.documents_left_out)} documents, ${tokens(data.tokens)}, ${percent(data.fresh, data.tokens)} new.` +
  (data.documents_left_out ? ` The page has the first ${number(documents.length)} of them.` : "") +
  (data.texts_left_out ? ` The texts of ${number(data.texts_left_out)} are left out.` : "") + " Marked passages stood in an earlier document; click one to go there." +
  (data.evidence ? " Hover over one to see how many of its tokens rest on what: shingles found in the table, text around them that agrees, or what was inferred." : "");
arrange();
draw();
addEventListener("resize", () => { draw(); lightArcs(); });
const named_by_hash = documents.findIndex((one) => `#${encodeURIComponent(one.id)}` === location.hash);
const most_copied = documents.reduce((best, one, at) => copied(one) > 0 && (best < 0 || copied(one) > copied(documents[best])) ? at : best, -1);
if (documents.length) open(named_by_hash >= 0 ? named_by_hash : Math.max(0, most_copied));
