// Lessons in a course: what a package's scripts send to a learning record store (cmi5) and to a SCORM 1.2 API. Both are
// stand-ins that refuse everything that the specifications forbid.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect as cmi5, duration, wayBack } from "../../www/lms/cmi5.js";
import { attach, score } from "../../www/lms/course.js";
import { connect as scorm, findApi, pack, timespan, unpack } from "../../www/lms/scorm.js";
import { Store } from "./lms.mjs";
import { Api } from "./scorm-api.mjs";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const verbs = (store) => store.statements.map((s) => s.verb.id.split("/").pop());

describe("cmi5", () => {
  let store;
  before(async () => {
    store = new Store();
    await store.listen();
  });
  after(() => store.close());
  const begin = (launch) => store.launch(launch);

  test("a session that ends with the lesson done: initialized, completed, passed, terminated", async () => {
    const launch = begin({ masteryScore: 1, returnURL: "https://lms.example/back" });
    const session = await cmi5(launch, { before: "https://lms.example/" });
    assert.equal(session.language, "de-DE");
    assert.equal(session.work, null);
    assert.equal(session.after, "https://lms.example/back");
    await session.keep("{}");
    await session.completed({ score: 1 });
    await session.completed({ score: 1 });
    await session.handedIn({ score: 1 });
    await session.end();
    await session.end();
    assert.deepEqual(verbs(store), ["initialized", "completed", "passed", "terminated"]);
    const [initialized, completed, passed, terminated] = store.statements;
    assert.equal(initialized.result, undefined);
    assert.deepEqual([completed.result.completion, completed.result.success, completed.result.score], [true, undefined, undefined]);
    assert.deepEqual([passed.result.success, passed.result.score.scaled], [true, 1]);
    assert.match(terminated.result.duration, /^PT\d+\.\d\dS$/);
    assert.deepEqual(store.faults, []);
  });

  test("a later session of the same registration knows its work, and says nothing twice", async () => {
    const address = begin({ masteryScore: 1 });
    const first = await cmi5(address, {});
    await first.keep("the work");
    await first.completed({ score: 1 });
    await first.end();
    const again = await cmi5(store.again(), {});
    assert.equal(again.work, "the work");
    await again.completed({ score: 1 });
    await again.end();
    assert.deepEqual(verbs(store), ["initialized", "completed", "passed", "terminated", "initialized", "terminated"]);
    assert.deepEqual(store.faults, []);
  });

  test("what is handed in unfinished has failed, with a score below the course's", async () => {
    const session = await cmi5(begin({ masteryScore: 0.8 }), {});
    await session.handedIn({ score: 0.5 });
    await session.end();
    assert.deepEqual(verbs(store), ["initialized", "failed", "terminated"]);
    const { result, context } = store.statements[1];
    assert.deepEqual([result.success, result.score.scaled], [false, 0.5]);
    assert.equal(context.extensions["https://w3id.org/xapi/cmi5/context/extensions/masteryscore"], 0.8);
    // A failure never has a score that would be enough to pass.
    const other = await cmi5(begin({ masteryScore: 0.3 }), {});
    await other.handedIn({ score: 0.5 });
    assert.equal(store.statements[1].result.score, undefined);
    assert.deepEqual(store.faults, []);
  });

  test("a look around and a review leave no verdict", async () => {
    for (const launchMode of ["Browse", "Review"]) {
      const session = await cmi5(begin({ launchMode }), {});
      await session.completed({ score: 1 });
      await session.handedIn({ score: 0 });
      await session.end();
      assert.deepEqual(verbs(store), ["initialized", "terminated"]);
    }
    assert.deepEqual(store.faults, []);
  });

  test("a launch that is none, or was used before, says so", async () => {
    await assert.rejects(cmi5(`${store.address}au.html`, {}), /no parameter 'endpoint'/);
    const used = begin({});
    await cmi5(used, {});
    await assert.rejects(cmi5(used, {}), /token cannot be fetched/);
    store.broken = true;
    await assert.rejects(cmi5(begin({}), {}), /answers 500/);
    store.broken = false;
  });

  // The author of a link to the unit chooses the record store, and the store says where to return.
  test("the course goes back to its own system only, and to no script", async () => {
    const page = "https://content.example/course/cmi5-x.html?endpoint=https%3A%2F%2Fevil.example%2F";
    const from = "https://lms.example/";
    for (const [to, expected] of [
      ["https://lms.example/back?a=1#b", "https://lms.example/back?a=1#b"],
      ["https://content.example/done", "https://content.example/done"],
      ["../menu", "https://content.example/menu"],
      ["https://evil.example/", null],
      ["https://lms.example@evil.example/", null],
      ["//evil.example/", null],
      ["http://lms.example/", null],
      ["https://lms.example:444/", null],
      ["javascript:alert(1)", null],
      [" java\nscript:alert(1)", null],
      ["data:text/html,<script>alert(1)</script>", null],
      ["blob:https://lms.example/1", null],
      ["https://", null],
      [{ toString: () => "https://lms.example/" }, null],
      [null, null],
      [undefined, null],
    ]) {
      assert.equal(wayBack(to, page, from), expected, String(to));
    }
    // A link in a message has no referring page.
    assert.equal(wayBack("https://evil.example/", page, ""), null);
    assert.equal(wayBack("https://content.example/", page, ""), "https://content.example/");
    // A page without an origin belongs to no system: two such pages don't have the same origin.
    assert.equal(wayBack("file:///etc/passwd", "file:///course.html", "file:///x"), null);
    for (const returnURL of ["javascript:void 0", `${store.address}elsewhere`]) {
      const unit = "https://content.example/au.html";
      const session = await cmi5(store.launch({ returnURL }, unit), { before: from });
      assert.equal(session.after, null, "the record store's own address is no reason");
    }
  });

  test("durations are of ISO 8601", () => {
    assert.deepEqual([0, 61_234, -5].map(duration), ["PT0.00S", "PT61.23S", "PT0.00S"]);
  });
});

describe("SCORM 1.2", () => {
  const under = (api, depth = 3) => {
    let window = { API: api };
    window.parent = window;
    for (let i = 0; i < depth; i += 1) window = { parent: window };
    return window;
  };

  test("the API is found in a parent or the opener, and nowhere else", () => {
    const api = {};
    assert.equal(findApi(under(api)), api);
    assert.equal(findApi(under(api, 9)), null);
    const alone = {};
    alone.parent = alone;
    assert.equal(findApi(alone), null);
    alone.opener = under(api);
    assert.equal(findApi(alone), api);
    const fenced = {
      get API() {
        throw new DOMException("blocked", "SecurityError");
      },
    };
    assert.equal(findApi({ parent: fenced }), null);
  });

  test("a session that ends with the lesson done", async () => {
    const api = new Api();
    let now = 0;
    const session = await scorm(under(api), { now: () => now });
    assert.equal(api.data["cmi.core.lesson_status"], "incomplete");
    assert.equal(session.work, null);
    await session.keep("the work");
    await session.completed({ score: 1 });
    await session.handedIn({ score: 0 });
    now = 3_723_450;
    await session.end();
    await session.end();
    await session.keep("too late");
    const { data } = api;
    assert.equal(data["cmi.core.lesson_status"], "passed");
    assert.deepEqual(["raw", "min", "max"].map((name) => data[`cmi.core.score.${name}`]), ["100", "0", "100"]);
    assert.equal(data["cmi.core.session_time"], "0001:02:03.45");
    assert.equal(data["cmi.suspend_data"], "the work");
    assert.deepEqual([api.calls[0], api.calls.at(-1), api.faults], ["LMSInitialize", "LMSFinish", []]);
    assert.ok(api.saved, "committed");
  });

  test("what is handed in unfinished has failed; a review changes nothing", async () => {
    const api = new Api();
    const session = await scorm(under(api));
    await session.handedIn({ score: 0.416 });
    await session.end();
    assert.equal(api.data["cmi.core.lesson_status"], "failed");
    assert.equal(api.data["cmi.core.score.raw"], "42");
    assert.equal(api.data["cmi.core.exit"], "suspend");

    const plain = new Api();
    plain.lacks = new Set(["cmi.core.score.min", "cmi.core.score.max"]);
    await (await scorm(under(plain))).completed({ score: 1 });
    assert.deepEqual([plain.data["cmi.core.lesson_status"], plain.data["cmi.core.score.raw"]], ["passed", "100"]);

    const review = new Api({ "cmi.core.lesson_mode": "review", "cmi.core.lesson_status": "passed" });
    const later = await scorm(under(review));
    await later.completed({ score: 1 });
    await later.handedIn({ score: 0 });
    await later.end();
    assert.equal(review.data["cmi.core.lesson_status"], "passed");
    assert.equal(review.data["cmi.core.score.raw"], undefined);
    assert.deepEqual([api.faults, review.faults], [[], []]);
  });

  test("work that is too long for 4096 characters is packed, or left out", async () => {
    const long = JSON.stringify({ code: "x = torch.ones(3, device='cuda')\n".repeat(400) });
    const api = new Api();
    const session = await scorm(under(api));
    await session.keep(long);
    assert.ok(api.data["cmi.suspend_data"].length <= 4096);
    const again = await scorm(under(new Api({ "cmi.suspend_data": api.data["cmi.suspend_data"] })));
    assert.equal(again.work, long);
    const noise = Array.from({ length: 20_000 }, () => Math.random().toString(36)[2]).join("");
    assert.equal(await pack(noise), null);
    await session.keep(noise);
    assert.deepEqual(api.faults, []);
    assert.equal(await unpack(await pack("z:mine")), "z:mine");
    assert.equal(timespan(0), "0000:00:00.00");
  });

  test("an API that refuses is heard, and where there is none the learner is told", async () => {
    await assert.rejects(scorm(under(null)), /no learning management system/);
    const api = new Api();
    api.refuses = "101";
    await assert.rejects(scorm(under(api)), /LMSInitialize.*\(101\)/);
  });
});

describe("the page of a course", () => {
  class Page extends EventTarget {
    CustomEvent = CustomEvent;
    setTimeout = setTimeout;
    clearTimeout = clearTimeout;
    location = { assign: (to) => (this.left = to) };
    tell(type, detail) {
      this.dispatchEvent(new CustomEvent(`tensoryard-${type}`, { detail }));
    }
  }
  const element = () => ({
    done: [],
    start() {
      this.done.push("start");
    },
    restore(work) {
      this.done.push(work);
    },
    setAttribute(name, value) {
      this.done.push(`${name}=${value}`);
    },
  });

  test("carries the lesson's events to the system, work once a second, and ends once", async () => {
    const heard = [];
    const note = (name) => async (data) => heard.push([name, data]);
    const system = { language: "de", work: "before", after: "https://lms.example/", keep: note("keep"), completed: note("completed"), handedIn: note("handedIn"), end: note("end") };
    const [page, lesson] = [new Page(), element()];
    const course = await attach(page, lesson, system, 2);
    assert.deepEqual(lesson.done, ["lang=de", "start", "before"]);
    for (let i = 0; i < 5; i += 1) page.tell("state", `work ${i}`);
    const checks = (name) => [{ label: name, passed: false }];
    page.tell("checked", { checks: checks("a"), passed: true, score: 1 });
    page.tell("checked", { checks: checks("a"), passed: false, score: 0 });
    page.tell("checked", { checks: checks("b"), passed: false, score: 0.5 });
    assert.deepEqual(heard, []);
    await wait(1100);
    assert.deepEqual(heard, [["keep", "work 4"]]);
    page.tell("state", "last");
    await course.handIn();
    assert.deepEqual(heard.slice(1), [["keep", "last"], ["handedIn", { score: 0.75 }], ["end", undefined]]);
    assert.equal(page.left, "https://lms.example/");
    assert.equal(score(new Map(), 0), 0);
  });

  test("what the system refuses is shown", async () => {
    const system = { completed: async () => Promise.reject(new Error("store answers 500")), keep() {}, end() {} };
    const page = new Page();
    const errors = [];
    page.addEventListener("tensoryard-lms-error", ({ detail }) => errors.push(detail));
    await attach(page, element(), system, 1);
    page.tell("completed", { score: 1 });
    await wait(10);
    assert.deepEqual(errors, ["Error: store answers 500"]);
  });
});
