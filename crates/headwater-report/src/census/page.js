const percent = (share) => share === null ? "–" : (share * 100).toFixed(1) + " %";
const byId = (id) => document.getElementById(id);
byId("about").textContent = `${number(data.documents)} different documents, split in ways that are known; ${number(data.samples)} ` +
  `drawn from each part; intervals of ${data.confidence * 100} %.`;

function row(table, cells, tag) {
  const line = table.insertRow();
  for (const [text, name] of cells) line.append(element(tag || "td", text, name));
}
const overall = byId("overall");
row(overall, [["method"], ["splits"], ["answered"], ["median error"], ["where allowed*"], ["median error of shares"], ["interval held"]], "th");
const good = (error) => error !== null && error <= data.goal ? "good" : "";
for (const { method, splits, answered, error, error_where_allowed, share_error, held } of data.overall) {
  row(overall, [[method], [number(splits)], [number(answered)], [percent(error), good(error)], [percent(error_where_allowed), good(error_where_allowed)],
    [percent(share_error)], [percent(held), held >= .93 ? "good" : ""]]);
}
byId("allowed").textContent = `* Splits in which the ratio of two shares of ${number(data.samples)} uniform draws each is within ${data.goal * 100} % ` +
  "at the median, by arithmetic: of collections of very different size, hardly anything of the larger is in the smaller.";

const unique = (values) => [...new Set(values)].sort((a, b) => a - b);
const sizes = unique(data.cells.map((cell) => cell.size));
const overlaps = unique(data.cells.map((cell) => cell.overlap)).filter((overlap) => overlap > 0);
// From little to much shared: one hue, away from the paper's, so that it reads without colour too.
const shade = (at) => `hsl(205 60% calc(var(--little) + (var(--much) - var(--little)) * ${at / Math.max(1, overlaps.length - 1)}))`;
byId("key").append(element("span", "Of the smaller part, the larger has"));
overlaps.forEach((overlap, at) => {
  const entry = element("span", `${overlap} %`);
  const dot = element("span", "", "dot");
  dot.style.background = shade(at);
  entry.prepend(dot);
  byId("key").append(entry);
});

const SPACE = "http://www.w3.org/2000/svg";
function drawn(parent, tag, attributes, text) {
  const made = document.createElementNS(SPACE, tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}
const WIDTH = 320, HEIGHT = 190, LEFT = 38, BOTTOM = 24, TOP = 10, RIGHT = 20;
const across = (size) => LEFT + (WIDTH - LEFT - RIGHT) * (sizes.length < 2 ? .5 : sizes.indexOf(size) / (sizes.length - 1));
// Errors span three decades.
const [least, most] = [.003, 3];
const down = (error) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.log(Math.min(most, Math.max(least, error)) / least) / Math.log(most / least));
const arithmetic = (overlap) => data.allowed.filter((cell) => cell.overlap === overlap && cell.error !== null);
for (const { method } of data.overall) {
  const figure = element("figure");
  figure.append(element("figcaption", method));
  const plot = drawn(figure, "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Median error of ${method}` });
  for (const mark of [.01, .1, 1]) {
    drawn(plot, "line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: down(mark), y2: down(mark) });
    drawn(plot, "text", { x: LEFT - 4, y: down(mark) + 3, "text-anchor": "end" }, mark * 100 + " %");
  }
  drawn(plot, "line", { class: "goal", x1: LEFT, x2: WIDTH - RIGHT, y1: down(.05), y2: down(.05) });
  sizes.forEach((size) => drawn(plot, "text", { x: across(size), y: HEIGHT - 8, "text-anchor": "middle" }, "1:" + size));
  overlaps.forEach((overlap, at) => {
    drawn(plot, "polyline", { class: "allowed", style: `stroke: ${shade(at)}`, points: arithmetic(overlap).map((cell) => `${across(cell.size)},${down(cell.error)}`).join(" ") });
    const own = data.cells.filter((cell) => cell.method === method && cell.overlap === overlap && cell.error !== null);
    drawn(plot, "polyline", { style: `fill: none; stroke: ${shade(at)}`, "stroke-width": 1.6,
      points: own.map((cell) => `${across(cell.size)},${down(cell.error)}`).join(" ") });
    for (const cell of own) {
      const dot = drawn(plot, "circle", { cx: across(cell.size), cy: down(cell.error), r: 2.6, style: `fill: ${shade(at)}` });
      drawn(dot, "title", {}, `1:${cell.size}, ${overlap} %: error ${percent(cell.error)}, interval held ${percent(cell.held)}`);
    }
  });
  byId("plots").append(figure);
}

const size = (value) => value === null ? "–" : value.toFixed(2);
const biases = byId("biases");
const groups = biases.insertRow();
for (const [text, columns] of [["", 1], ["size", 4], ["share of the first that the second has", 3], ["", 1]]) {
  const group = element("th", text, columns > 1 ? "group next" : "group");
  group.colSpan = columns;
  groups.append(group);
}
row(biases, [["bias"], ["truth", "next"], ["uniform"], ["queries"], ["corrected"], ["truth", "next"], ["queries"], ["corrected"], ["simulated by", "what next"]], "th");
for (const bias of data.biases) {
  row(biases, [[bias.name], [size(bias.truth), "next"], [size(bias.uniform)], [size(bias.queries)], [size(bias.corrected)], [percent(bias.shared), "next"],
    [percent(bias.queries_shared)], [percent(bias.corrected_shared)], [bias.what, "what next"]]);
}
