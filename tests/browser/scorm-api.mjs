// A stand-in for the API of SCORM 1.2. It records everything that violates the specification. It also runs in pages.

const STATUS = ["passed", "completed", "failed", "incomplete", "browsed", "not attempted"];
/** The values that each element accepts. */
const TAKES = {
  "cmi.core.lesson_status": (value) => STATUS.includes(value),
  "cmi.core.score.raw": (value) => value >= 0 && value <= 100,
  "cmi.core.score.min": (value) => value >= 0 && value <= 100,
  "cmi.core.score.max": (value) => value >= 0 && value <= 100,
  "cmi.core.session_time": (value) => /^\d{2,4}:\d\d:\d\d(\.\d{1,2})?$/.test(value),
  "cmi.core.exit": (value) => ["time-out", "suspend", "logout", ""].includes(value),
  "cmi.suspend_data": (value) => value.length <= 4096,
};
const READS = new Set([...Object.keys(TAKES), "cmi.core.lesson_mode"]);

/** The API object of SCORM 1.2. */
export class Api {
  faults = [];
  calls = [];
  saved = false;
  refuses = null;
  /** Elements that this system doesn't support. */
  lacks = new Set();
  #open = false;

  constructor(data = {}) {
    this.data = { "cmi.core.lesson_status": "not attempted", "cmi.core.lesson_mode": "normal", ...data };
  }

  #call(name, holds, what, answer = "true") {
    this.calls.push(name);
    if (holds && !this.refuses) return answer;
    if (!holds) this.faults.push(`${name}: ${what}`);
    return answer === "true" ? "false" : "";
  }

  LMSInitialize(nothing) {
    const fresh = !this.#open && nothing === "";
    this.#open = true;
    return this.#call("LMSInitialize", fresh, "twice, or with an argument");
  }

  LMSFinish(nothing) {
    const open = this.#open && nothing === "";
    this.#open = false;
    return this.#call("LMSFinish", open, "not open");
  }

  LMSGetValue(element) {
    return this.#call("LMSGetValue", this.#open && READS.has(element), element, this.data[element] ?? "");
  }

  LMSSetValue(element, value) {
    if (this.lacks.has(element)) return "false";
    const fine = this.#open && typeof value === "string" && TAKES[element]?.(value);
    if (fine) this.data[element] = value;
    this.saved = false;
    return this.#call("LMSSetValue", fine, `${element} = ${value}`);
  }

  LMSCommit(nothing) {
    this.saved = true;
    return this.#call("LMSCommit", this.#open && nothing === "", "not open");
  }

  LMSGetLastError() {
    return this.refuses ?? "0";
  }

  LMSGetErrorString(code) {
    return code === "101" ? "General exception" : "No error";
  }

  LMSGetDiagnostic() {
    return "";
  }
}
