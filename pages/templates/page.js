"use strict";
// Marks of a film: a click goes to what is said there.
(function () {
  const film = document.querySelector("video.film");
  if (!film) return;
  document.addEventListener("click", function (event) {
    const mark = event.target.closest("[data-time]");
    if (mark) { film.currentTime = Number(mark.dataset.time); film.play(); }
  });
})();
// The item explorer's filters; without script every item is listed.
(function () {
  const form = document.querySelector(".filters");
  if (!form) return;
  form.hidden = false;
  const items = Array.from(document.querySelectorAll(".item"));
  const count = document.getElementById("shown-items");
  function apply() {
    const wanted = {};
    form.querySelectorAll("select").forEach(function (field) { wanted[field.name] = field.value; });
    const text = form.querySelector("input").value.trim().toLowerCase();
    let shown = 0;
    items.forEach(function (item) {
      const results = item.dataset.results.split(" ");
      const fits = (!wanted.capability || item.dataset.capability === wanted.capability) &&
        (!wanted.interaction || item.dataset.interaction === wanted.interaction) &&
        (!wanted.result || results.includes(wanted.result)) &&
        (!text || item.textContent.toLowerCase().includes(text));
      item.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + " of " + items.length + " items";
  }
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  apply();
  // Printing opens what is shown.
  window.addEventListener("beforeprint", function () {
    items.forEach(function (item) { if (!item.hidden) item.open = true; });
  });
})();
