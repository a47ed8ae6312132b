"use strict";
// One page for every mode: shows a task, keeps every change at once, and never loses one.
(function () {
  const el = Player.el, button = Player.button;
  const $ = function (id) { return document.getElementById(id); };
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const SURE = [["1", "a guess", "G"], ["2", "fairly sure", "F"], ["3", "sure", "V"]];
  const TAGS = ["visual", "verbal", "vocal", "external knowledge"];
  const KEYS = [["1 … 9", "choose an option, or mark the criterion in the frame"], ["↑ ↓", "criterion before, criterion after"],
    ["G F V", "a guess, fairly sure, very sure"], ["A", "ambiguous, or unsure"], ["X", "skip"], ["U", "undo"],
    ["Ctrl Enter", "lock, submit, go on"], ["Space", "play, stop"], ["R", "replay"], ["J K L", "back 2 s, stop, on 2 s"],
    [", .", "picture before, picture after"], ["[ ]", "slower, faster"], ["O", "loop"], ["C", "with context, once locked"], ["?", "these keys"]];
  let me = null, mode = "", task = null, work = null, place = 0, notice = "";
  let dirty = false, timer = 0, flying = null, waits = 0, active = Date.now(), seconds = 0;

  // --- talking to the server ---------------------------------------------------------------------------------------
  async function call(path, body) {
    const text = body === undefined ? "" : JSON.stringify(body);
    const asked = text ? { method: "POST", headers: { "content-type": "application/json" }, body: text, keepalive: text.length < 30000 } : {};
    const answer = await fetch(path, asked);
    return { status: answer.status, data: await answer.json() };
  }
  function status(text, bad) { $("saved").textContent = text; $("saved").classList.toggle("bad", Boolean(bad)); }
  function changed() {
    dirty = true; status("saving …");
    clearTimeout(timer);
    timer = setTimeout(function () { timer = 0; keep("save"); }, 120);
    draw();
  }
  // One save at a time, each going on from the revision before it.
  async function keep(action) {
    while (flying) await flying;
    if (!task || (action === "save" && !dirty)) return true;
    clearTimeout(timer); timer = 0;
    const sent = JSON.stringify(work);
    dirty = false;
    flying = call("/api/task/" + task.task, { revision: task.revision, action: action, work: JSON.parse(sent), seconds: Math.round(seconds * 10) / 10, watched: Player.watched() })
      .then(function (done) { return took(done, action, sent); }, function () { return lost(action); });
    try { return await flying; } finally { flying = null; if (dirty && !timer) changed(); }
  }
  function took(done, action, sent) {
    waits = 0;
    if (done.status === 200) {
      const stage = task.stage;
      Object.assign(task, done.data);
      if (action === "undo" || JSON.stringify(work) === sent) work = structuredClone(done.data.work);
      status("saved"); notice = "";
      if (stage !== task.stage) { place = 0; shown(); } else draw(action === "undo");
      return true;
    }
    if (done.status === 409 && done.data.state) {
      task = done.data.state; work = structuredClone(task.work); seconds = task.seconds;
      notice = "Not saved: " + done.data.error + ". This is how it stands now.";
      status("conflict", true); shown();
    } else if (done.status === 401) {
      dirty = true; status("signed out: open a new link", true);
    } else {
      notice = done.data.error; status("not done", true); draw();
    }
    return false;
  }
  function lost(action) {
    waits = Math.min(waits + 1, 6); status("not saved: trying again", true);
    if (action !== "save") return null;
    dirty = true; clearTimeout(timer);
    timer = setTimeout(function () { timer = 0; keep("save"); }, 250 * 2 ** waits);
    return false;
  }
  // A lock or a submission whose answer is lost is sent again: the server knows it by its revision.
  async function insist(action) {
    for (let tries = 0; tries < 10; tries += 1) {
      const kept = await keep(action);
      if (kept !== null) return kept;
      await new Promise(function (done) { setTimeout(done, 250 * 2 ** Math.min(tries, 5)); });
    }
    notice = "The server cannot be reached. What you did is kept here: try again."; draw();
    return false;
  }
  async function start(wanted) {
    const answer = await call("/api/me");
    if (answer.status !== 200) { $("task").replaceChildren(el("p", { class: "problem" }, answer.data.error)); return; }
    me = answer.data;
    const left = me.modes.filter(function (one) { return one.done < one.total; });
    mode = wanted || location.hash.slice(1) || (left[0] || me.modes[0] || {}).mode || "";
    bar();
    await next("");
  }
  function bar() {
    $("modes").replaceChildren(...me.modes.map(function (one) {
      return button(one.title + " " + one.done + "/" + one.total, one.mode, function () { keep("save").then(function () { location.hash = one.mode; start(one.mode); }); },
        { "aria-current": String(one.mode === mode) });
    }));
  }
  async function next(after) {
    if (!mode) { done("There is nothing for you to review."); return; }
    const answer = await call("/api/next", { mode: mode, after: after });
    if (answer.status !== 200) { done(answer.data.error); return; }
    if (!answer.data) { done("All done here. Thank you."); return; }
    task = answer.data; work = structuredClone(task.work); seconds = task.seconds; place = 0; notice = ""; dirty = false;
    status("saved"); shown(); window.scrollTo(0, 0);
  }
  function done(text) {
    task = null; status(""); Player.drop();
    $("scene").hidden = true;
    $("task").replaceChildren(el("h1", {}, text), el("p", { class: "note" }, "You can close this page, or choose another task above."));
  }

  // --- showing a task ----------------------------------------------------------------------------------------------
  function shown() {
    if (!$("scene").dataset.task || $("scene").dataset.task !== task.task + task.stage) {
      if ($("scene").dataset.of !== task.task) Player.show($("scene"), task.public);
      $("scene").dataset.task = task.task + task.stage; $("scene").dataset.of = task.task;
    }
    if (task.behind) Player.offer(task.behind.context);
    draw(true);
  }
  function draw(whole) {
    const typing = document.activeElement && document.activeElement.tagName === "TEXTAREA";
    if (typing && !whole) { buttons(); return; }
    const open = task.stage === "blind", judging = task.stage === "expert";
    $("task").replaceChildren(...[
      el("h1", {}, task.title), el("p", { class: "note" }, task.help),
      task.public.question ? el("p", { class: "question" }, task.public.question) : null,
      said(), options(open), open && task.answer ? answering() : null, open && task.steps ? steps() : null,
      task.answer && !open ? locked() : null, behind(), judging ? criteria() : null,
      task.stage !== "done" ? note() : el("p", { class: "good" }, "Finished."), el("div", { id: "foot" })].filter(Boolean));
    buttons();
  }
  function buttons() {
    const words = { blind: "Lock answer", expert: "Submit", done: "Next" }[task.stage];
    const foot = $("foot");
    if (!foot) return;
    foot.replaceChildren(...[
      notice ? el("p", { class: "notice problem", role: "alert" }, notice) : null,
      el("div", { class: "row-buttons" },
        button([words + " ", el("kbd", {}, "Ctrl ⏎")], "Ctrl+Enter", forward, { class: "primary" }),
        task.undo ? button(["Undo ", el("kbd", {}, "U")], "U", function () { keep("save").then(function () { keep("undo"); }); }) : null)].filter(Boolean));
  }
  function options(open) {
    if (!task.public.options || !task.shown.length) return null;
    const texts = Object.fromEntries(task.public.options.map(function (one) { return [one.id, one.text]; }));
    const key = task.behind && task.behind.answer ? task.behind.answer : [], traps = (task.behind && task.behind.traps) || {};
    return el("ol", { class: "choices" }, task.shown.map(function (id, number) {
      const why = key.includes(id) ? "presented as the answer" : traps[id] && traps[id] !== "none" ? "trap: " + traps[id].replaceAll("_", " ") : null;
      return el("li", {}, el("button", { type: "button", "aria-pressed": String(work.ids.includes(id)), disabled: !(open && task.answer),
        class: key.includes(id) ? "key" : null, onclick: function () { choose(number); } },
        el("kbd", {}, LETTERS[number] + " " + (number + 1)), el("span", {}, texts[id], why ? el("span", { class: "tag" }, why) : null)));
    }));
  }
  function row(label, choices, current, pick) {
    return el("div", { class: "row-buttons", role: "group", "aria-label": label }, label ? el("span", { class: "label" }, label) : null,
      choices.map(function ([value, text, key]) {
        return button([text + " ", key ? el("kbd", {}, key) : null], text, function () { pick(value); }, { "aria-pressed": String(value === current) });
      }));
  }
  function area(label, value, set, rows) {
    const box = el("textarea", { rows: rows || 2, maxlength: 4000 });
    box.value = value;
    box.addEventListener("input", function () { set(box.value); changed(); });
    return el("label", { class: "block" }, label, box);
  }
  function answering() {
    const parts = [];
    if (task.public.format === "open") parts.push(area("Your answer", work.text, function (text) { work.text = text; work.said = text.trim() ? "answer" : ""; }, 3));
    parts.push(row("How sure?", SURE, String(work.confidence), sure));
    parts.push(row("Or else", [["ambiguous", "ambiguous or unsure", "A"], ["skip", "skip", "X"]], work.said, say));
    return el("div", {}, parts);
  }
  function locked() {
    const letters = task.shown.map(function (id, number) { return work.ids.includes(id) ? LETTERS[number] : ""; }).join("");
    const words = { answer: letters || work.text, ambiguous: "ambiguous", skip: "skipped" }[work.said] || "";
    return el("p", { class: "note" }, "Your locked answer: " + words);
  }
  function steps() {
    const list = work.steps.map(function (step, number) {
      const tags = el("div", { class: "row-buttons", role: "group", "aria-label": "Draws on" }, TAGS.map(function (tag) {
        return button(tag, tag, function () {
          step.tags = step.tags.includes(tag) ? step.tags.filter(function (one) { return one !== tag; }) : step.tags.concat(tag); changed(); draw(true);
        }, { "aria-pressed": String(step.tags.includes(tag)) });
      }), button("remove", "Remove this step", function () { work.steps.splice(number, 1); changed(); draw(true); }));
      return el("div", { class: "step" }, area("Step " + (number + 1), step.text, function (text) { step.text = text; }), tags);
    });
    return el("div", {}, el("h3", {}, "What led you there"), list, button("Add a step", "One thing that you noticed or know", function () {
      work.steps.push({ text: "", tags: [] }); draw(true);
      const boxes = document.querySelectorAll(".step textarea"); boxes[boxes.length - 1].focus();
    }));
  }
  function said() {
    if (!task.public.reply && !(task.public.steps || []).length) return null;
    return el("div", { class: "behind" }, el("h3", {}, "To be rated"), task.public.reply ? el("p", { class: "said" }, task.public.reply) : null,
      (task.public.steps || []).length ? el("ol", {}, task.public.steps.map(function (step) { return el("li", {}, step.text + (step.tags.length ? " [" + step.tags.join(", ") + "]" : "")); })) : null);
  }
  function cue(text) {
    const line = Number((/^line (\d+)$/.exec(text) || [])[1]);
    const times = task.behind.times || [];
    return el("li", {}, line ? button(text, "Show in the clip", function () { Player.seek(line, times[line - 1]); }, { class: "link" }) : text);
  }
  function behind() {
    const own = task.behind;
    if (!own) return null;
    const parts = [];
    if (own.answer_text) parts.push(el("h3", {}, "Reference answer"), el("p", {}, own.answer_text));
    if ((own.cues || []).length) parts.push(el("h3", {}, "It rests on"), el("ul", {}, own.cues.map(cue)));
    (own.claims || []).forEach(function (claim) {
      parts.push(el("h3", {}, claim.text), el("ul", {}, claim.evidence.map(function (one) { return el("li", {}, (one.quote ? "“" + one.quote + "” " : "") + one.kind + " at " + one.place); })));
    });
    if (own.judged) parts.push(el("h3", {}, "The judge decided"), el("p", {}, own.judged), own.reason ? el("p", { class: "said" }, own.reason) : null);
    (own.votes || []).forEach(function (vote) {
      parts.push(el("h3", {}, "Reviewer " + vote.name + ": " + vote.decision), el("p", { class: "note" }, vote.words), vote.note ? el("p", { class: "said" }, vote.note) : null);
    });
    if (task.mode === "adjudication" && me.edits) parts.push(button("Edit the item …", "As a file, through the same gates as any other", edit));
    return parts.length ? el("div", { class: "behind" }, parts) : null;
  }
  async function edit() {
    const answer = await call("/api/task/" + task.task + "/item");
    if (answer.status !== 200) { notice = answer.data.error; buttons(); return; }
    const box = el("textarea", { rows: 18, spellcheck: "false" }), told = el("p", { class: "note" }, "An edit voids every vote on the item.");
    box.value = answer.data.text;
    const dialog = el("dialog", {}, el("h2", {}, "Edit the item"), box, told, el("div", { class: "row-buttons" },
      button("Save as a new version", "", async function () {
        told.textContent = "Going through the gates …";
        const kept = await call("/api/task/" + task.task + "/item", { item_hash: task.item_hash, text: box.value });
        told.textContent = kept.status === 200 ? [kept.data.outcome].concat(kept.data.messages).join(" · ") : kept.data.error;
      }), button("Close", "", function () { dialog.close(); dialog.remove(); start(mode); })));
    document.body.append(dialog); dialog.showModal();
  }
  function criteria() {
    return el("div", {}, task.criteria.map(function (one, number) {
      return el("fieldset", { class: number === place ? "now" : null }, el("legend", {}, one.name), el("p", {}, one.text),
        row("", one.choices.map(function (choice, key) { return [choice, choice, number === place ? String(key + 1) : ""]; }), work.marks[one.name],
          function (choice) { place = number; mark(choice); }));
    }), task.answer ? null : row("", [["skip", "skip", "X"]], work.said, say));
  }
  function note() { return area("Note", work.note, function (text) { work.note = text; }); }

  // --- acting ------------------------------------------------------------------------------------------------------
  function choose(number) {
    const id = task.shown[number];
    if (!id || task.stage !== "blind" || !task.answer || task.public.format === "open") return;
    const there = work.ids.includes(id);
    work.ids = task.public.format === "multiple" ? (there ? work.ids.filter(function (one) { return one !== id; }) : work.ids.concat(id)) : [id];
    work.said = work.ids.length ? "answer" : "";
    changed();
  }
  function sure(level) { if (task.stage === "blind" && task.answer) { work.confidence = Number(level); changed(); } }
  function say(what) {
    if (task.stage === "done" || (task.stage === "expert" && task.answer) || (what === "ambiguous" && task.stage !== "blind")) return;
    work.said = work.said === what ? (work.ids.length ? "answer" : "") : what;
    changed();
  }
  function mark(choice) {
    work.marks[task.criteria[place].name] = choice;
    const open = task.criteria.findIndex(function (one) { return !(one.name in work.marks); });
    place = open < 0 ? place : open;
    changed();
  }
  async function forward() {
    if (!task) return;
    if (task.stage === "done") { const before = task.task; await refresh(); await next(before); return; }
    if (document.activeElement) document.activeElement.blur();
    Player.pause();
    await keep("save");
    if (await insist(task.stage === "blind" ? "lock" : "submit") && task.stage === "done") { const before = task.task; await refresh(); await next(before); }
  }
  async function refresh() { const answer = await call("/api/me"); if (answer.status === 200) { me = answer.data; bar(); } }

  function digit(number) {
    if (task.stage === "blind") choose(number - 1);
    else if (task.stage === "expert") { const choice = task.criteria[place].choices[number - 1]; if (choice) mark(choice); }
  }
  function move(by) {
    if (task.stage !== "expert") return false;
    place = Math.max(0, Math.min(task.criteria.length - 1, place + by)); draw();
    const now = document.querySelector("fieldset.now"); if (now) now.scrollIntoView({ block: "nearest" });
    return true;
  }
  const PRESSED = {
    g: function () { sure(1); }, f: function () { sure(2); }, v: function () { sure(3); }, a: function () { say("ambiguous"); }, x: function () { say("skip"); },
    u: function () { keep("save").then(function () { keep("undo"); }); }, " ": Player.toggle, r: Player.replay, j: function () { Player.jump(-1); }, k: Player.pause,
    l: function () { Player.jump(1); }, ",": function () { Player.step(-1); }, ".": function () { Player.step(1); }, "[": function () { Player.faster(-1); },
    "]": function () { Player.faster(1); }, o: Player.loop, c: Player.context, ArrowUp: function () { return move(-1); }, ArrowDown: function () { return move(1); }
  };
  document.addEventListener("keydown", function (event) {
    active = Date.now();
    if ($("keys").open || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); if (!event.repeat) forward(); return; }
    if (event.target.tagName === "TEXTAREA" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") { event.preventDefault(); $("keys").showModal(); return; }
    if (!task || (event.key === " " && event.target.tagName === "BUTTON")) return;
    if (/^[1-9]$/.test(event.key)) { event.preventDefault(); digit(Number(event.key)); return; }
    const act = PRESSED[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act && act() !== false) event.preventDefault();
  });
  ["pointerdown", "scroll", "input"].forEach(function (name) { document.addEventListener(name, function () { active = Date.now(); }, { passive: true, capture: true }); });
  setInterval(function () { if (task && task.stage !== "done" && document.visibilityState === "visible" && Date.now() - active < 60000) seconds += 1; }, 1000);
  window.addEventListener("beforeunload", function (event) { if (dirty || flying) { keep("save"); event.preventDefault(); } });
  $("help").addEventListener("click", function () { $("keys").showModal(); });
  $("key-list").append(...KEYS.flatMap(function ([key, what]) { return [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)]; }));
  start("").catch(function () { $("task").replaceChildren(el("p", { class: "problem" }, "The server cannot be reached.")); });
})();
