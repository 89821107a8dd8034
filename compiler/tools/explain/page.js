"use strict";
// Selecting: a set of nodes, from a click on one of them, on lines or on a loop.  Everything that
// came from a selected node lights up.  The fragment of the address selects, too: #node=3, #loop=2,
// with &stage=loops for the pane.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (what, within = document) => Array.from(within.querySelectorAll(what));
  const groups = data.groups.map((nodes) => new Set(nodes));
  const outlines = new Map(data.loops);
  const tabs = all("nav button");
  let stage = "kernels";

  function show(name) {
    stage = tabs.some((tab) => tab.dataset.stage === name) ? name : stage;
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab.dataset.stage === stage));
    }
    for (const pane of all(".pane")) {
      pane.classList.toggle("shown", pane.dataset.pane === stage || pane.dataset.pane === "C");
      reveal(pane);
    }
  }

  // Scroll to what is lit, the longest piece of it, unless some of that can be seen.
  function reveal(pane) {
    if (!pane.clientHeight) return;
    const height = (piece) => piece.getBoundingClientRect().height;
    const lit = all("pre.on, tr.on, g.on", pane).reduce((a, b) => (!a || height(b) > height(a) ? b : a), null);
    if (!lit) return;
    const place = lit.getBoundingClientRect(), frame = pane.getBoundingClientRect();
    if (place.bottom < frame.top + 40 || place.top > frame.bottom - 60 || place.right < frame.left ||
        place.left > frame.right) {
      pane.scrollTop += place.top - frame.top - frame.height / 4;
      if (pane.querySelector("svg")) {
        pane.scrollLeft += place.left - frame.left - frame.width / 2 + place.width / 2;
      }
    }
  }

  function element(kind, text, ...inside) {
    const made = document.createElement(kind);
    made.textContent = text;
    made.append(...inside);
    return made;
  }

  // `loop` is the number of one loop, where that is what was clicked.  What is in the body of a
  // selected loop of the graph came from that, too.
  function select(nodes, loop = null) {
    const near = new Set([...nodes].flatMap((node) => data.inside[node] || []));
    const from = [...nodes, ...near];
    const lit = groups.map((group) => from.some((node) => group.has(node)));
    for (const place of all("pre[data-g]")) {
      place.classList.toggle("on", lit[place.dataset.g]);
    }
    for (const row of all("tr[data-g]")) {
      const is = loop === null ? lit[row.dataset.g] : Number(row.dataset.loop) === loop;
      row.classList.toggle("on", Boolean(is));
      if (is) groups[row.dataset.g].forEach((node) => near.add(node));
    }
    for (const node of all("g.node")) {
      const number = Number(node.dataset.n);
      node.classList.toggle("on", nodes.has(number));
      node.classList.toggle("near", near.has(number) && !nodes.has(number));
    }
    for (const edge of all(".edge")) {
      const { a, b } = edge.dataset;
      edge.classList.toggle("on", nodes.has(Number(a)) && nodes.has(Number(b)) && nodes.size > 1);
    }
    for (const tab of tabs) {
      tab.classList.toggle("on", Boolean(document.querySelector(`[data-pane="${tab.dataset.stage}"] .on`)));
    }
    describe(nodes, near, loop);
    all(".pane.shown, .scroll").forEach(reveal);
  }

  function describe(nodes, near, loop) {
    const about = document.getElementById("about");
    about.replaceChildren();
    if (!nodes.size) {
      about.append(element("p", "Nothing is selected."));
      return;
    }
    for (const number of [...nodes].sort((a, b) => a - b).slice(0, 12)) {
      const [kind, name, type] = data.nodes[number] || ["", "", ""];
      about.append(element("h3", `${kind} #${number}`));
      about.append(element("p", [name, type].filter(Boolean).join("  ") || "no name"));
    }
    if (nodes.size > 12) about.append(element("p", `and ${nodes.size - 12} nodes more`));
    const others = [...near].filter((node) => !nodes.has(node)).sort((a, b) => a - b);
    if (others.length) {
      const named = others.slice(0, 8).map((n) => `${data.nodes[n][0]} #${n}`).join(", ");
      const more = others.length > 8 ? ` and ${others.length - 8} more` : "";
      about.append(element("p", `In one loop with ${named}${more}.`));
    }
    const rows = all("tbody tr.on");
    const count = rows.length === 1 ? "1 loop:" : `${rows.length} loops:`;
    const none = "Nothing in the C is of it alone: it was computed while compiling, or it is not needed.";
    about.append(element("p", rows.length ? count : none));
    for (const row of rows.slice(0, 6)) {
      const outline = outlines.get(Number(row.dataset.loop)) || [];
      if (outline.length) about.append(element("pre", outline.join("\n")));
    }
  }

  function clicked(target) {
    const node = target.closest("g.node");
    const place = target.closest("[data-g]");
    if (node) go(`node=${node.dataset.n}`);
    else if (place && place.dataset.loop !== undefined) go(`loop=${place.dataset.loop}`);
    else if (place) select(groups[place.dataset.g]);
  }

  function go(where) {
    const to = `#${where}${stage === "kernels" ? "" : `&stage=${stage}`}`;
    if (location.hash !== to) history.pushState(null, "", to);
    follow();
  }

  function follow() {
    const given = new URLSearchParams(location.hash.slice(1));
    show(given.get("stage"));
    const loop = document.querySelector(`tr[data-loop="${Number(given.get("loop") ?? -1)}"]`);
    if (loop) select(groups[loop.dataset.g], Number(loop.dataset.loop));
    else if (given.has("node")) select(new Set(given.get("node").split(",").map(Number).filter((n) => data.nodes[n])));
    else select(new Set());
  }

  for (const tab of tabs) tab.addEventListener("click", () => show(tab.dataset.stage));
  document.addEventListener("click", (event) => clicked(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") go("");
    if (event.key === "Enter") clicked(event.target);
  });
  addEventListener("hashchange", follow);
  const graph = document.querySelector("#graph .scroll");
  graph.scrollLeft = (graph.scrollWidth - graph.clientWidth) / 2;
  follow();
})();
