// Tables sort by a column at a press of its heading: up, down, then as they came. Without this they are as useful.
"use strict";

const status = document.getElementById("sorted");
const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

function compare(one, other, column, byNumber) {
  const first = one.cells[column];
  const second = other.cells[column];
  if (!byNumber) return first.textContent.trim().localeCompare(second.textContent.trim(), "en");
  return Number(first.dataset.value) - Number(second.dataset.value);
}

function isUnknown(row, column, byNumber) {
  const cell = row.cells[column];
  return byNumber ? cell.dataset.value === "" : cell.textContent.trim() === "";
}

function sort(table, head, column, asTheyCame) {
  const order = NEXT[head.getAttribute("aria-sort") ?? "none"];
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  let rows = asTheyCame;
  if (order !== "none") {
    head.setAttribute("aria-sort", order);
    const byNumber = head.classList.contains("number");
    const sign = order === "ascending" ? 1 : -1;
    const known = asTheyCame.filter((row) => !isUnknown(row, column, byNumber));
    known.sort((one, other) => sign * compare(one, other, column, byNumber));
    rows = [...known, ...asTheyCame.filter((row) => isUnknown(row, column, byNumber))];
  }
  table.tBodies[0].append(...rows);
  const how = order === "none" ? "in its first order" : `sorted by ${head.textContent.trim()}, ${order}`;
  status.textContent = `${table.caption.textContent}: ${how}`;
}

for (const table of document.querySelectorAll("table.sortable")) {
  const asTheyCame = [...table.tBodies[0].rows];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head, column, asTheyCame));
    head.append(button);
  });
}

// Paper cannot be unfolded.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded) one.open = false;
});
