const { nodes, edges } = data;
const clusters = [];
nodes.forEach((node, at) => { (clusters[node.cluster] ||= { members: [], edges: [] }).members.push(at); node.edges = []; });
edges.forEach((edge, at) => { clusters[nodes[edge[0]].cluster].edges.push(at); nodes[edge[0]].edges.push(at); nodes[edge[1]].edges.push(at); });
const colour = (cluster, light = 50) => `hsl(${(cluster * 137.508 + 210) % 360} 62% ${light}%)`;

// Every cluster is laid out alone, in a circle of its own; the largest come first.
const SPACE = 26;
for (const cluster of clusters) {
  const { members } = cluster;
  members.forEach((at, rank) => {
    const angle = rank * 2.399963, far = SPACE * 0.62 * Math.sqrt(rank);
    nodes[at].x = Math.cos(angle) * far; nodes[at].y = Math.sin(angle) * far;
  });
  cluster.radius = SPACE * (0.62 * Math.sqrt(members.length) + (members.length < 3 ? 0.1 : 0.6));
}
// In rows, as words in a paragraph: at once, however many there are.
{
  const sorted = [...clusters].sort((a, b) => b.radius - a.radius), GAP = 10;
  const area = sorted.reduce((sum, { radius }) => sum + (2 * radius + GAP) ** 2, 0), width = Math.sqrt(area * 1.5);
  let x = 0, y = 0, high = 0;
  for (const cluster of sorted) {
    const size = 2 * cluster.radius;
    if (x > 0 && x + size > width) { x = 0; y += high + GAP; high = 0; }
    cluster.x = x + cluster.radius; cluster.y = y + cluster.radius;
    x += size + GAP; high = Math.max(high, size);
  }
}

// Forces only within clusters, a few milliseconds at a time, so that the page answers while it settles. In large clusters
// each node is pushed by a sample of the others: what it loses in neatness nobody sees.
const SAMPLE = 60, ROUNDS = 140;
let settling = clusters.filter((cluster) => cluster.members.length > 2).map((cluster) => ({ cluster, round: 0 }));
function settle(task) {
  const { cluster } = task, { members } = cluster, count = members.length;
  const heat = 1 - task.round / ROUNDS, radius = cluster.radius - SPACE * 0.3;
  for (const at of members) {
    const node = nodes[at];
    let fx = 0, fy = 0;
    const step = Math.max(1, Math.floor(count / SAMPLE));
    for (let other = task.round % step; other < count; other += step) {
      const there = nodes[members[other]];
      if (there === node) continue;
      const dx = node.x - there.x, dy = node.y - there.y, square = dx * dx + dy * dy + 1;
      fx += dx / square * step; fy += dy / square * step;
    }
    node.fx = fx * SPACE * 0.6; node.fy = fy * SPACE * 0.6;
  }
  for (const at of cluster.edges) {
    const edge = edges[at], a = nodes[edge[0]], b = nodes[edge[1]];
    const pull = 0.06 / Math.sqrt(Math.max(a.edges.length, b.edges.length));
    const dx = (b.x - a.x) * pull, dy = (b.y - a.y) * pull;
    a.fx += dx; a.fy += dy; b.fx -= dx; b.fy -= dy;
  }
  for (const at of members) {
    const node = nodes[at], force = Math.hypot(node.fx, node.fy) || 1, go = Math.min(force, 12 * heat) / force;
    node.x += node.fx * go; node.y += node.fy * go;
    const far = Math.hypot(node.x, node.y);
    if (far > radius) { node.x *= radius / far; node.y *= radius / far; }
  }
  return ++task.round < ROUNDS;
}

const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d"), stage = document.getElementById("stage");
const byEdges = [...nodes.keys()].sort((a, b) => nodes[b].edges.length - nodes[a].edges.length);
let view = { x: 0, y: 0, scale: 1 }, chosen = null, found = null, stale = true;
const at = (node) => { const cluster = clusters[node.cluster]; return [cluster.x + node.x, cluster.y + node.y]; };
function fit(box = null) {
  let [left, top, right, bottom] = box || clusters.reduce(([l, t, r, b], c) =>
    [Math.min(l, c.x - c.radius), Math.min(t, c.y - c.radius), Math.max(r, c.x + c.radius), Math.max(b, c.y + c.radius)],
    [Infinity, Infinity, -Infinity, -Infinity]);
  if (!isFinite(left)) return;
  const { width, height } = stage.getBoundingClientRect();
  view = { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.min(4, Math.min(width / (right - left + 40), height / (bottom - top + 40))) };
  stale = true;
}
function draw() {
  const { width, height } = stage.getBoundingClientRect(), ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * (width / 2 - view.x * view.scale), ratio * (height / 2 - view.y * view.scale));
  const line = getComputedStyle(document.body).getPropertyValue("--edge");
  for (const [strong, alpha, wide] of [[0, 0.28, 0.8], [0.3, 0.5, 1.2], [0.6, 0.75, 1.8]]) {
    pen.strokeStyle = `rgba(${line}, ${alpha})`; pen.lineWidth = Math.max(wide, 0.7 * wide / view.scale);
    pen.beginPath();
    for (const edge of edges) {
      const level = data.score === "S1" ? Math.min(1, edge[2] / 500) : edge[2];
      if (level < strong || level >= strong + 0.3 && strong < 0.6) continue;
      pen.moveTo(...at(nodes[edge[0]])); pen.lineTo(...at(nodes[edge[1]]));
    }
    pen.stroke();
  }
  const near = new Set();
  if (chosen && chosen.edge !== undefined) {
    const edge = edges[chosen.edge];
    pen.strokeStyle = colour(nodes[edge[0]].cluster, 45); pen.lineWidth = 4;
    pen.beginPath(); pen.moveTo(...at(nodes[edge[0]])); pen.lineTo(...at(nodes[edge[1]])); pen.stroke();
    near.add(edge[0]).add(edge[1]);
  } else if (chosen) {
    near.add(chosen.node);
    pen.strokeStyle = colour(nodes[chosen.node].cluster, 45); pen.lineWidth = 1.8; pen.beginPath();
    for (const one of nodes[chosen.node].edges) {
      const edge = edges[one]; near.add(edge[0]).add(edge[1]);
      pen.moveTo(...at(nodes[edge[0]])); pen.lineTo(...at(nodes[edge[1]]));
    }
    pen.stroke();
  }
  const ink = getComputedStyle(document.body).color;
  for (const [index, node] of nodes.entries()) {
    const [x, y] = at(node), size = Math.max(4 + Math.min(4, Math.sqrt(node.edges.length)), 1.6 / view.scale);
    pen.fillStyle = colour(node.cluster); pen.globalAlpha = found && !found.has(index) ? 0.15 : 1;
    pen.beginPath(); pen.arc(x, y, size, 0, 7); pen.fill();
    if (near.has(index) || found && found.has(index)) { pen.strokeStyle = ink; pen.lineWidth = 1.5; pen.stroke(); }
  }
  pen.globalAlpha = 1;
  pen.fillStyle = ink;
  pen.font = `${11 / view.scale}px system-ui, sans-serif`;
  // A label that would lie on another, or on a node, is left out: the first come are those of what was chosen, then the best
  // connected.
  const taken = new Set(), cell = [16, 13];
  const onScreen = (index) => { const [x, y] = at(nodes[index]); return [(x - view.x) * view.scale + width / 2, (y - view.y) * view.scale + height / 2]; };
  if (view.scale > 1.1) for (const index of nodes.keys()) {
    const [x, y] = onScreen(index);
    if (x > 0 && x < width && y > 0 && y < height) taken.add(Math.floor(y / cell[1]) * 1e4 + Math.floor(x / cell[0]));
  }
  const label = (index) => {
    const [x, y] = at(nodes[index]), text = short(nodes[index].id, 40), wide = pen.measureText(text).width * view.scale;
    const [centre, middle] = onScreen(index), left = centre + Math.max(9 * view.scale, cell[0]);
    if (left > width || left + wide < 0 || middle < 0 || middle > height) return;
    const places = [];
    for (let row = Math.floor((middle - 6) / cell[1]); row <= Math.floor((middle + 5) / cell[1]); row++)
      for (let column = Math.floor(left / cell[0]); column <= Math.floor((left + wide) / cell[0]); column++) places.push(row * 1e4 + column);
    if (!near.has(index) && places.some((place) => taken.has(place))) return;
    places.forEach((place) => taken.add(place));
    pen.fillText(text, x + (left - centre) / view.scale, y + 4 / view.scale);
  };
  near.forEach(label);
  if (view.scale > 1.1) byEdges.forEach(label);
}
function frame() {
  const until = performance.now() + 10;
  while (settling.length && performance.now() < until) {
    const task = settling.shift();
    if (settle(task)) settling.push(task);
    stale = true;
  }
  if (stale) { stale = false; draw(); }
  requestAnimationFrame(frame);
}

// What is under the pointer: a node if one is near, else an edge.
function under(event) {
  const box = stage.getBoundingClientRect();
  const x = (event.clientX - box.left - box.width / 2) / view.scale + view.x, y = (event.clientY - box.top - box.height / 2) / view.scale + view.y;
  const reach = 8 / view.scale;
  let best = null, distance = Math.max(reach, 6);
  for (const [index, node] of nodes.entries()) {
    const [nx, ny] = at(node), far = Math.hypot(nx - x, ny - y);
    if (far < distance) { distance = far; best = { node: index }; }
  }
  if (best) return best;
  distance = reach * 0.7;
  for (const [index, edge] of edges.entries()) {
    const [ax, ay] = at(nodes[edge[0]]), [bx, by] = at(nodes[edge[1]]);
    const dx = bx - ax, dy = by - ay, along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    const far = Math.hypot(ax + along * dx - x, ay + along * dy - y);
    if (far < distance) { distance = far; best = { edge: index }; }
  }
  return best;
}
const tip = document.getElementById("tip");
let drag = null;
canvas.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", (event) => {
  if (drag) {
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (drag.moved || Math.hypot(dx, dy) > 4) {
      view.x -= dx / view.scale; view.y -= dy / view.scale; stale = true;
      drag = { x: event.clientX, y: event.clientY, moved: true };
    }
    return;
  }
  const what = under(event), box = stage.getBoundingClientRect();
  tip.style.display = what ? "block" : "none";
  canvas.style.cursor = what ? "pointer" : "grab";
  if (what) {
    tip.textContent = what.node !== undefined ? nodes[what.node].id : edges[what.edge].slice(0, 2).map((one) => nodes[one].id).join(" — ");
    tip.style.left = Math.min(event.clientX - box.left + 12, box.width - 160) + "px"; tip.style.top = event.clientY - box.top + 12 + "px";
  }
});
canvas.addEventListener("pointerup", (event) => {
  const moved = drag && drag.moved; drag = null;
  if (!moved) { const what = under(event); if (what) choose(what); else if (chosen) choose(null); }
});
function zoom(by, x = 0, y = 0) {
  const scale = Math.max(0.02, Math.min(12, view.scale * by));
  view.x += x / view.scale - x / scale; view.y += y / view.scale - y / scale; view.scale = scale; stale = true;
}
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = stage.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
}, { passive: false });
document.getElementById("in").onclick = () => zoom(1.5);
document.getElementById("out").onclick = () => zoom(1 / 1.5);
document.getElementById("fit").onclick = () => fit();
addEventListener("resize", () => { stale = true; });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { stale = true; });

// The panel: clusters, one document, or one edge with its passages.
const panel = document.getElementById("panel");
function row(text, cluster, act) {
  const made = element("button", "", "row"), dot = element("span", "", "dot");
  dot.style.background = colour(cluster); made.append(dot, text); made.onclick = act; return made;
}
const score = (edge) => `${data.score} ${edge[2]} · ${number(edge[3])} chunks`;
function choose(what) { chosen = what; stale = true; show(); }
function list(rows, most = 300) {
  rows.slice(0, most).forEach((one) => panel.append(one()));
  if (rows.length > most) panel.append(element("p", `… and ${number(rows.length - most)} more`, "soft"));
}
function show() {
  panel.replaceChildren(); panel.scrollTop = 0;
  if (chosen) { const back = element("button", "← all clusters"); back.onclick = () => choose(null); panel.append(back); }
  if (chosen && chosen.edge !== undefined) return showEdge(edges[chosen.edge]);
  if (chosen) return showNode(chosen.node);
  if (found) {
    panel.append(element("h2", `${number(found.size)} documents`));
    return list([...found].map((one) => () => row(nodes[one].id, nodes[one].cluster, () => choose({ node: one }))));
  }
  panel.append(element("h2", `${number(clusters.length)} clusters`));
  list([...clusters.keys()].sort((a, b) => clusters[b].members.length - clusters[a].members.length).map((one) => () => {
    const { members, x, y, radius } = clusters[one];
    const made = row(nodes[members[0]].id, one, () => { fit([x - radius, y - radius, x + radius, y + radius]); choose({ node: members[0] }); });
    made.append(" ", element("span", `and ${number(members.length - 1)} more`, "soft")); return made;
  }));
}
function title(node) {
  const made = element("h2"), dot = element("span", "", "dot");
  dot.style.background = colour(node.cluster); made.append(dot);
  made.append(named(node.id, node.url));
  return made;
}
function showNode(index) {
  const node = nodes[index];
  panel.append(title(node));
  panel.append(element("p", [node.time, `shares text with ${number(node.edges.length)} documents`].filter(Boolean).join(" · "), "soft"));
  const sorted = [...node.edges].sort((a, b) => edges[b][2] - edges[a][2]);
  list(sorted.map((one) => () => {
    const edge = edges[one], other = nodes[edge[0] === index ? edge[1] : edge[0]];
    const made = row(other.id, other.cluster, () => choose({ edge: one }));
    made.append(element("div", score(edge), "soft")); return made;
  }));
}
function showEdge(edge) {
  for (const one of [edge[0], edge[1]]) {
    const made = title(nodes[one]), more = element("button", "its other edges");
    more.style.cssText = "margin-left:.6em;font-size:12px;font-weight:400"; more.onclick = () => choose({ node: one });
    made.append(more); panel.append(made);
    if (nodes[one].time) panel.append(element("p", nodes[one].time, "soft"));
  }
  panel.append(element("p", score(edge)));
  const passages = data.passages[edge[4]];
  if (!passages) return panel.append(element("p", "The passages of this edge are not in the page: it would have become too large. headwater graph --for shows them.", "soft"));
  passages.forEach(([left, right]) => {
    const pair = element("div", "", "pair");
    pair.append(element("div", left), element("div", right)); panel.append(pair);
  });
}
document.getElementById("find").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  found = wanted ? new Set(nodes.keys().filter((one) => nodes[one].id.toLowerCase().includes(wanted))) : null;
  choose(null);
});
document.getElementById("about").textContent =
  `${number(nodes.length)} of ${number(data.documents)} documents, ${number(edges.length)} edges with ${data.score} ≥ ${data.threshold}` +
  (data.edges_left_out ? `; the ${number(data.edges_left_out)} weakest edges are not in this page` : "") +
  (data.passages_left_out ? `; passages of ${number(data.passages_left_out)} edges are left out` : "") + ". Click an edge to see what its documents share.";
fit(); show(); requestAnimationFrame(frame);
