const { sides, passages } = data;
const hue = (passage) => Math.round((passage * 137.508 + 205) % 360);
const percent = (part, whole) => whole ? `${Math.round(100 * part / whole)} %` : "–";
const marks = passages.map(() => []);
let chosen = -1;

for (const [which, side] of sides.entries()) {
  const section = element("section"), title = element("h2"), text = element("div", "", "text");
  section.tabIndex = 0;
  section.setAttribute("aria-label", side.id);
  title.append(named(side.id, side.url));
  section.append(title, element("p", [side.time, `${number(side.tokens)} tokens`, `${percent(side.shared, side.tokens)} also in the other`].filter(Boolean).join(" · "), "soft"), text);
  for (const [piece, passage] of side.pieces) {
    if (passage < 0) { text.append(piece); continue; }
    const mark = element("mark", "", passages[passage].moved ? "moved" : ""), about = `passage ${passage + 1}, ${number(passages[passage].tokens)} tokens${passages[passage].moved ? ", moved" : ""}`;
    mark.style.setProperty("--hue", hue(passage));
    mark.title = about;
    mark.tabIndex = 0;
    mark.setAttribute("role", "button");
    mark.setAttribute("aria-label", `${piece} – ${about}`);
    mark.append(element("sup", `[${passage + 1}${passages[passage].moved ? "↕" : ""}]`), piece);
    mark.onclick = () => choose(passage, which);
    mark.onkeydown = (event) => { if (event.key === "Enter") choose(passage, which); };
    mark.onpointerenter = () => light(passage);
    marks[passage].push({ mark, which });
    text.append(mark);
  }
  document.getElementById("sides").append(section);
}
function light(passage) {
  marks.forEach((all, at) => all.forEach(({ mark }) => mark.classList.toggle("lit", at === passage)));
}
// The partner comes to where the reader looks; what was clicked stays where it is.
function choose(passage, from = -1) {
  chosen = passage;
  light(passage);
  const seen = new Set();
  for (const { mark, which } of marks[passage]) {
    if (which === from || seen.has(which)) continue;
    seen.add(which);
    mark.scrollIntoView({ block: "center" });
  }
}
const step = (by) => { if (passages.length) choose((chosen + by + passages.length) % passages.length); };
document.getElementById("next").onclick = () => step(1);
document.getElementById("before").onclick = () => step(chosen < 0 ? 0 : -1);
const moved = passages.filter((passage) => passage.moved).length;
document.getElementById("about").textContent = passages.length === 0 ? "The two documents share no passage." :
  `${number(passages.length)} shared ${passages.length === 1 ? "passage" : "passages"}${moved ? `, ${number(moved)} of them in another order (↕)` : ""}. Equal numbers are equal text; click one to see its partner.`;
