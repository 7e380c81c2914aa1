/**
 * The script of a report: filters and switches. It only hides and opens what is in the file, so nothing is lost without it. It is
 * a text because the browser runs it, and it is hashed as it stands.
 */
export const SCRIPT = `
(() => {
"use strict";
const byId = (id) => document.getElementById(id);
const changes = [...document.querySelectorAll("details.change")];
const groups = [...document.querySelectorAll("section.group")];
const everything = [...document.querySelectorAll("details")];

// Paper shows everything. Browsers that cannot open a section for print by style alone need this.
let closed = [];
addEventListener("beforeprint", () => {
  closed = everything.filter((one) => !one.open);
  for (const one of closed) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of closed) one.open = false;
});

const controls = byId("controls");
if (controls === null) return;
controls.hidden = false;
const text = byId("text");
const selects = [...controls.querySelectorAll("select")];
const texts = new Map();

// Equal changes share a section, where each object has an item.
const objectsOf = (change) => {
  const items = [...change.querySelectorAll(".members > li")];
  return items.length === 0 ? [change] : items;
};
// The text is read once, at the first search. What a section says of all its objects is not what its items say.
const textOf = (one) => {
  if (!texts.has(one)) {
    const members = one.querySelector(".members");
    const own = members === null ? one.textContent : one.textContent.replace(members.textContent, "");
    texts.set(one, (own + " " + (one.dataset.scope || "")).toLowerCase());
  }
  return texts.get(one);
};
const isChosen = (change, object, { value, dataset }) => {
  if (value === "") return true;
  if (dataset.filter === "scope") return object.dataset.scope === value || object.dataset.scope.startsWith(value + "/");
  return change.dataset[dataset.filter].split(" ").includes(value);
};
const isVisible = (one) => !one.classList.contains("out");

const filter = () => {
  const words = text.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
  let [count, total] = [0, 0];
  for (const change of changes) {
    const objects = objectsOf(change);
    for (const object of objects) {
      const isIn =
        selects.every((select) => isChosen(change, object, select)) &&
        words.every((word) => textOf(change).includes(word) || textOf(object).includes(word));
      object.classList.toggle("out", !isIn);
    }
    const found = objects.filter(isVisible).length;
    change.classList.toggle("out", found === 0);
    count += found;
    total += objects.length;
  }
  for (const group of groups) group.classList.toggle("out", group.querySelector("details.change:not(.out)") === null);
  const all = total === 1 ? "1 change" : total + " changes";
  byId("status").textContent = count === total ? all : count + " of " + all;
};
const clear = () => {
  for (const one of [text, ...selects]) one.value = "";
  filter();
};
const openAll = (isOpen) => {
  for (const change of changes) if (isVisible(change)) change.open = isOpen;
};

// Side by side, the lines that both texts share stand on both sides. The copies are made when they are first needed.
const side = byId("side");
let isCopied = false;
const copySame = () => {
  isCopied = true;
  for (const same of document.querySelectorAll(".pair > .same")) {
    const copy = same.cloneNode(true);
    copy.classList.add("copy");
    copy.setAttribute("aria-hidden", "true");
    same.after(copy);
  }
};
const toggleSide = () => {
  const isSide = document.body.classList.toggle("side");
  if (isSide && !isCopied) {
    for (const change of changes) textOf(change);
    copySame();
  }
  side.setAttribute("aria-pressed", String(isSide));
};

text.addEventListener("input", filter);
for (const select of selects) select.addEventListener("input", filter);
byId("clear").addEventListener("click", clear);
byId("expand").addEventListener("click", () => openAll(true));
byId("collapse").addEventListener("click", () => openAll(false));
side.addEventListener("click", toggleSide);
filter();

// A link to a change shows it, whatever the filters are.
const openLinked = () => {
  const linked = /^#change-\\d+$/.test(location.hash) ? byId(location.hash.slice(1)) : null;
  if (linked === null) return;
  if (!isVisible(linked)) clear();
  linked.open = true;
  linked.scrollIntoView();
};
addEventListener("hashchange", openLinked);
openLinked();
})();
`;
