"use strict";
// The clip: a video with loop, speed, frame step and context, or a transcript alone. Times are seconds.
const Player = (function () {
  const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2], FRAME = 1 / 25, JUMP = 2;
  let video = null, out = null, loop = null, speed = null, lines = [], seen = new Set(), wide = null, source = "", retry = 0;

  function el(name, attributes, ...children) {
    const node = document.createElement(name);
    Object.entries(attributes || {}).forEach(function ([key, value]) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value === true) node.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
    });
    children.flat().forEach(function (child) { if (child !== null && child !== undefined) node.append(child); });
    return node;
  }

  function button(text, title, act, more) {
    return el("button", Object.assign({ type: "button", title: title, onclick: act }, more), text);
  }

  // A video that is left behind must let go of its connection: a browser has few.
  function drop() { if (video) { clearTimeout(retry); video.pause(); video.removeAttribute("src"); video.load(); video = null; } }

  function show(place, data) {
    drop();
    place.replaceChildren();
    video = null; lines = []; seen = new Set(); wide = null; source = data.media || "";
    if (data.media) place.append(...film(data.media));
    if (data.background) place.append(el("h3", {}, "Background"), el("p", { class: "background" }, data.background));
    if (data.history.length) place.append(el("h3", {}, "Earlier"), el("ol", {}, data.history.map(function (text) { return el("li", {}, text); })));
    if (data.lines.length) place.append(el("h3", {}, "What is said and told"), transcript(data.lines));
    place.hidden = false;
  }

  function film(media) {
    video = el("video", { src: "/media/" + media, preload: "metadata", playsinline: true, tabindex: "-1" });
    out = el("output", {}, "0.0 s");
    loop = button("Loop", "Play the clip again and again (O)", toggleLoop, { "aria-pressed": "false" });
    speed = button("1×", "Speed ([ slower, ] faster)", function () { faster(1); });
    video.addEventListener("error", function () {
      if (!video || !video.getAttribute("src")) return;
      out.textContent = "the clip is being made …";
      retry = setTimeout(function () { if (video) video.load(); }, 1000);
    });
    video.addEventListener("timeupdate", tell);
    video.addEventListener("loadedmetadata", tell);
    wide = button("With context", "Play what comes before and after as well (C)", function () { context(); }, { "aria-pressed": "false", hidden: true });
    return [video, el("div", { class: "transport" },
      button("Play", "Space", toggle), button("Replay", "From the start (R)", replay),
      button("−1 frame", "One picture back (,)", function () { step(-1); }), button("+1 frame", "One picture on (.)", function () { step(1); }),
      loop, speed, wide, out)];
  }

  function transcript(told) {
    const list = el("ol", { class: "transcript" }, told.map(function (line) {
      const node = el("li", { class: line.kind === "line" ? null : line.kind },
        line.speaker ? el("span", { class: "speaker" }, line.speaker + (line.kind === "choice" ? " chooses: " : ": ")) : null, line.text);
      lines.push(node);
      return node;
    }));
    const eye = new IntersectionObserver(function (entries) {
      entries.forEach(function (entry) { if (entry.isIntersecting) seen.add(entry.target); });
    });
    lines.forEach(function (line) { eye.observe(line); });
    return list;
  }

  function tell() {
    out.textContent = video.currentTime.toFixed(1) + " of " + (video.duration || 0).toFixed(1) + " s";
  }
  function toggle() { if (video) { if (video.paused) video.play(); else video.pause(); } }
  function replay() { if (video) { video.currentTime = 0; video.play(); } }
  function step(direction) { if (video) { video.pause(); video.currentTime = Math.max(0, video.currentTime + direction * FRAME); } }
  function jump(direction) { if (video) video.currentTime = Math.max(0, video.currentTime + direction * JUMP); }
  function toggleLoop() { if (video) { video.loop = !video.loop; loop.setAttribute("aria-pressed", String(video.loop)); } }
  function faster(by) {
    if (!video) return;
    const place = SPEEDS.indexOf(video.playbackRate) + by;
    video.playbackRate = SPEEDS[(place + SPEEDS.length) % SPEEDS.length];
    speed.textContent = video.playbackRate + "×";
  }
  function offer(media) { if (wide && media) { wide.hidden = false; wide.dataset.media = media; } }
  function context() {
    if (!wide || wide.hidden) return;
    const on = wide.getAttribute("aria-pressed") !== "true";
    wide.setAttribute("aria-pressed", String(on));
    video.src = "/media/" + (on ? wide.dataset.media : source);
    video.play();
  }
  function seek(line, time) {
    lines.forEach(function (node, place) { node.classList.toggle("lit", place === line - 1); });
    if (lines[line - 1]) lines[line - 1].scrollIntoView({ block: "center" });
    if (video && typeof time === "number") { video.currentTime = time; }
  }
  function watched() {
    if (video && video.duration) {
      let sum = 0;
      for (let i = 0; i < video.played.length; i += 1) sum += video.played.end(i) - video.played.start(i);
      return Math.min(1, sum / video.duration);
    }
    return lines.length ? seen.size / lines.length : 0;
  }
  return { el: el, button: button, show: show, drop: drop, toggle: toggle, replay: replay, step: step, jump: jump, loop: toggleLoop,
    faster: faster, offer: offer, context: context, seek: seek, watched: watched, pause: function () { if (video) video.pause(); } };
})();
