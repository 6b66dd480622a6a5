const { clusters } = data;
const list = document.getElementById("list"), shown = document.getElementById("shown");
const MOST_ROWS = 500;
let current = 0, found = null;

// Words, with what stands between them; equal words are equal whatever their case, as when they were compared.
const words = (text) => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) || [];
const isWord = (part) => /^[\p{L}\p{N}]/u.test(part);

// Which parts of two lists of words have a partner in the other: the longest common subsequence (Myers), greedily cut short
// where two texts are so different that nobody would look at the rest.
const MOST_STEPS = 1500;
function common(a, b) {
  const inA = new Uint8Array(a.length), inB = new Uint8Array(b.length);
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) { inA[start] = inB[start] = 1; start++; }
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA--; endB--; inA[endA] = inB[endB] = 1; }
  const n = endA - start, m = endB - start, most = Math.min(n + m, MOST_STEPS), trace = [];
  const reach = new Map([[1, 0]]);
  let last = null;
  for (let d = 0; d <= most && last === null; d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1);
      let x = down ? reach.get(k + 1) ?? 0 : (reach.get(k - 1) ?? 0) + 1, y = x - k;
      while (x < n && y < m && a[start + x] === b[start + y]) { x++; y++; }
      reach.set(k, x);
      if (x >= n && y >= m) { last = d; break; }
    }
  }
  let x = n, y = m, from = last;
  if (last === null) {
    // The way that came furthest within the steps.
    from = most;
    let best = 0;
    for (const [k, far] of reach) if (2 * far - k > best && far <= n && far - k <= m) { best = 2 * far - k; x = far; y = far - k; }
  }
  for (let d = from; d >= 0 && (x > 0 || y > 0); d--) {
    const before = trace[d], k = x - y;
    const down = k === -d || k !== d && (before.get(k - 1) ?? -1) < (before.get(k + 1) ?? -1);
    const k2 = down ? k + 1 : k - 1, x2 = before.get(k2) ?? 0, y2 = x2 - k2;
    while (x > x2 && y > y2 && x > 0 && y > 0 && a[start + x - 1] === b[start + y - 1]) { x--; y--; inA[start + x] = inB[start + y] = 1; }
    x = Math.max(0, x2); y = Math.max(0, y2);
  }
  return [inA, inB];
}
function marked(parts, inCommon) {
  const made = element("div", "", "text");
  let run = "", isNew = false, at = 0;
  const flush = () => { if (run) made.append(isNew ? element("mark", run) : run); run = ""; };
  for (const part of parts) {
    // What stands between two words is marked only between two new ones.
    if (isWord(part)) {
      const different = !inCommon[at++];
      if (different !== isNew) { flush(); isNew = different; }
    }
    run += part;
  }
  flush();
  return made;
}

function side(cluster, chosen, act) {
  const made = element("div"), choice = document.createElement("select");
  choice.setAttribute("aria-label", "The document on this side");
  cluster.forEach((member, at) => { const option = element("option", short(member.id, 80) + (member.represents ? " (stands for the cluster)" : "")); option.value = at; option.selected = at === chosen; choice.append(option); });
  choice.onchange = () => act(Number(choice.value));
  made.append(choice, element("p", `${number(cluster[chosen].tokens)} words`, "soft"));
  return made;
}
function show(left = 0, right = null) {
  shown.replaceChildren(); shown.scrollTop = 0;
  const cluster = clusters[current];
  if (!cluster) return shown.append(element("p", "No two documents are near-duplicates."));
  // At first the first member that is not quite the same: of equal ones there is nothing to see.
  if (right === null) right = Math.max(1, cluster.findIndex((member) => member.text !== undefined && member.text !== cluster[left].text));
  shown.append(element("h2", `${number(cluster.length)} documents`));
  const sides = element("div", "", "sides");
  const a = side(cluster, left, (at) => show(at, right)), b = side(cluster, right, (at) => show(left, at));
  sides.append(a, b); shown.append(sides);
  const texts = [cluster[left].text, cluster[right].text];
  if (texts.some((text) => text === undefined)) return shown.append(element("p", "The texts of these documents are not in the page: it would have become too large.", "soft"));
  const parts = texts.map(words), lower = parts.map((all) => all.filter(isWord).map((word) => word.toLowerCase()));
  const [inA, inB] = common(...lower), same = inA.reduce((sum, one) => sum + one, 0);
  a.append(marked(parts[0], inA)); b.append(marked(parts[1], inB));
  const most = Math.max(lower[0].length, lower[1].length) || 1;
  shown.insertBefore(element("p", `${number(same)} words in common, in this order: ${Math.round(same * 100 / most)} % of the longer text. What only one side has is marked.`, "soft"), sides);
}
function rows() {
  list.replaceChildren();
  const wanted = clusters.map((_, at) => at).filter((at) => !found || clusters[at].some((member) => member.id.toLowerCase().includes(found)));
  wanted.slice(0, MOST_ROWS).forEach((at) => {
    const made = element("button", clusters[at][0].id, "row");
    made.append(" ", element("span", `and ${number(clusters[at].length - 1)} more`, "soft"));
    made.setAttribute("aria-current", at === current);
    made.onclick = () => { current = at; rows(); show(); };
    list.append(made);
  });
  if (wanted.length > MOST_ROWS) list.append(element("p", `… and ${number(wanted.length - MOST_ROWS)} more clusters; find a document to see its own`, "soft"));
  if (!wanted.length) list.append(element("p", "none", "soft"));
}
document.getElementById("find").addEventListener("input", (event) => { found = event.target.value.trim().toLowerCase() || null; rows(); });
const members = clusters.reduce((sum, cluster) => sum + cluster.length, 0);
document.getElementById("about").textContent =
  `${number(clusters.length)} clusters with ${number(members)} of ${number(data.documents)} documents; ${data.method}, likeness ≥ ${data.threshold}` +
  (data.clusters_left_out ? `; the ${number(data.clusters_left_out)} smallest clusters are not in this page` : "") +
  (data.texts_left_out ? `; the texts of ${number(data.texts_left_out)} documents are left out` : "") + ".";
rows(); show();
