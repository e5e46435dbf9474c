"use strict";
(() => {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => theme.setAttribute("aria-pressed", String(dark()));
  theme.hidden = false;
  label();
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); });

  const said = document.getElementById("said");
  let timer = 0;
  const say = (text) => {
    said.textContent = text;
    said.classList.add("on");
    clearTimeout(timer);
    timer = setTimeout(() => said.classList.remove("on"), 2000);
  };
  const copyOldWay = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  document.addEventListener("click", async (event) => {
    const save = event.target.closest("a.save");
    if (save) save.href = save.closest(".card").querySelector("img").src;
    const button = event.target.closest("button.copy");
    if (!button) return;
    const genome = button.dataset.genome;
    let done = false;
    try { await navigator.clipboard.writeText(genome); done = true; }
    catch { done = copyOldWay(genome); button.focus(); }
    say(done ? "Genome copied" : "The browser does not let this page copy");
  });

  if (!("live" in document.body.dataset)) return;
  const status = () => document.getElementById("status");
  let version = "";
  const follow = async () => {
    try {
      const state = await (await fetch("state.json", { cache: "no-store" })).json();
      if (state.version !== version) {
        const text = await (await fetch("./", { cache: "no-store" })).text();
        const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
        const open = [...document.querySelectorAll("details")].map((item) => item.open);
        document.querySelector("main").replaceWith(fresh);
        document.querySelectorAll("details").forEach((item, i) => { item.open = open[i] || false; });
        version = state.version;
      }
      status().textContent = state.done ? "The run has ended." : "Following the run.";
      if (state.done) return;
    } catch { status().textContent = "The run has ended, or its page is gone."; return; }
    setTimeout(follow, 1500);
  };
  follow();
})();
