// A stand-in for a learning record store with cmi5's launch. It records everything that violates the specification.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const CATEGORY = "https://w3id.org/xapi/cmi5/context/categories/";
const EXTENSION = "https://w3id.org/xapi/cmi5/context/extensions/";
const actor = { objectType: "Agent", account: { homePage: "https://lms.example", name: "learner 7" }, name: "A Learner" };
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A learning record store. `statements` are those of the latest registration. */
export class Store {
  statements = [];
  faults = [];
  broken = false;
  #states = new Map();
  #tokens = new Map();
  #server = createServer((request, response) => this.#answer(request, response));

  async listen() {
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", done));
    this.address = `http://127.0.0.1:${this.#server.address().port}/`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The query of a launch in a new registration. */
  launch(data = {}, unit = `${this.address}au.html`) {
    this.statements = [];
    this.registration = randomUUID();
    this.activity = `https://lms.example/activity/${this.registration}`;
    this.session = 0;
    this.data = data;
    return this.again(unit);
  }

  /** The same registration again. */
  again(unit = `${this.address}au.html`) {
    this.session += 1;
    this.ended = false;
    this.started = false;
    const key = randomUUID();
    this.#tokens.set(key, Buffer.from(`learner:${key}`).toString("base64"));
    this.template = {
      extensions: { [`${EXTENSION}sessionid`]: `session ${this.session}` },
      contextActivities: { grouping: [{ objectType: "Activity", id: "https://author.example/lesson" }] },
    };
    const launch = { contextTemplate: this.template, launchMode: "Normal", moveOn: "Passed", ...this.data };
    this.#states.set(`${this.registration} LMS.LaunchData`, JSON.stringify(launch));
    const address = new URL(unit);
    const query = { endpoint: `${this.address}xapi`, fetch: `${this.address}fetch?${key}`, actor: JSON.stringify(actor) };
    for (const [name, value] of Object.entries({ ...query, registration: this.registration, activityId: this.activity })) {
      address.searchParams.set(name, value);
    }
    return address.href;
  }

  #answer(request, response) {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url, this.address);
      const [status, body] = this.#reply(request, url, Buffer.concat(chunks).toString());
      response.writeHead(status, {
        "Content-Type": "application/json",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "*, Authorization",
        "Access-Control-Allow-Methods": "*",
      });
      response.end(body);
    });
  }

  #reply({ method, headers }, url, body) {
    if (method === "OPTIONS") return [204, ""];
    if (url.pathname === "/fetch") {
      const token = this.#tokens.get(url.search.slice(1));
      this.#tokens.delete(url.search.slice(1));
      if (method !== "POST") this.faults.push(`${method} to fetch`);
      this.token = token ?? this.token;
      return [200, JSON.stringify(token ? { "auth-token": token } : { "error-code": "1", "error-text": "used" })];
    }
    if (headers.authorization !== `Basic ${this.token}`) return [401, ""];
    if (!headers["x-experience-api-version"]) this.faults.push("no version");
    if (this.broken) return [500, ""];
    const of = (name) => url.searchParams.get(name);
    if (of("agent") && !same(JSON.parse(of("agent")), actor)) this.faults.push("another agent");
    switch (`${method} ${url.pathname}`) {
      case "GET /xapi/agents/profile":
        return of("profileId") === "cmi5LearnerPreferences" ? [200, JSON.stringify({ languagePreference: "de-DE,en-US" })] : [404, ""];
      case "GET /xapi/activities/state": {
        if (of("activityId") !== this.activity) this.faults.push("state of another activity");
        const found = this.#states.get(`${of("registration")} ${of("stateId")}`);
        return found === undefined ? [404, ""] : [200, found];
      }
      case "PUT /xapi/activities/state":
        if (of("stateId").startsWith("LMS.")) this.faults.push("the launch data was changed");
        this.#states.set(`${of("registration")} ${of("stateId")}`, body);
        return [204, ""];
      case "POST /xapi/statements":
        this.#take(JSON.parse(body));
        return [200, JSON.stringify([randomUUID()])];
      default:
        return [404, ""];
    }
  }

  /** Section 9 of the specification. */
  #take(statement) {
    const verb = statement.verb.id.replace("http://adlnet.gov/expapi/verbs/", "");
    const { result = {}, context } = statement;
    const must = (holds, what) => holds || this.faults.push(`${verb}: ${what}`);
    const before = this.statements.map((s) => s.verb.id.split("/").pop());
    must(["initialized", "completed", "passed", "failed", "terminated"].includes(verb), "an unknown verb");
    must(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(statement.id), "its id is no UUID");
    must(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(statement.timestamp), "no time in UTC");
    must(same(statement.actor, actor), "another actor");
    must(statement.object.id === this.activity, "another object");
    must(context.registration === this.registration, "another registration");
    must(verb === "initialized" ? !this.started : this.started, "initialized comes first, and once");
    must(!this.ended, "after terminated");
    this.started = true;
    this.ended ||= verb === "terminated";
    if (["completed", "passed"].includes(verb)) must(!before.includes(verb), "twice in a registration");
    if (verb === "failed") must(!before.includes("passed"), "after passed");
    const verdict = "completion" in result || "success" in result;
    const category = context.contextActivities.category.map(({ id }) => id);
    must(category.includes(`${CATEGORY}cmi5`), "not in the category cmi5");
    must(category.includes(`${CATEGORY}moveon`) === verdict, "the category moveon");
    must(same(context.contextActivities.grouping, this.template.contextActivities.grouping), "the template's grouping");
    must(context.extensions[`${EXTENSION}sessionid`] === `session ${this.session}`, "the session's id");
    must(result.success === { passed: true, failed: false }[verb], "success");
    must(result.completion === (verb === "completed" ? true : undefined), "completion");
    must(verb === "initialized" || /^PT[\d.]+S$/.test(result.duration), "no duration");
    const { masteryScore, launchMode = "Normal" } = this.data;
    must(launchMode === "Normal" || !verdict, `in ${launchMode}`);
    must("success" in result || !("score" in result), "a score");
    if (masteryScore !== undefined && "success" in result) {
      must(context.extensions[`${EXTENSION}masteryscore`] === masteryScore, "the mastery score");
      if (result.score) must(result.score.scaled >= masteryScore === result.success, "a score against its verdict");
    }
    this.statements.push(statement);
  }
}
