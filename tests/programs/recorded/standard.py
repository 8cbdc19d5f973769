"""Modules of the standard library that work with files, text and tests."""

import configparser
import gzip
import hmac
import html
import html.parser
import io
import ipaddress
import mimetypes
import os
import pathlib
import plistlib
import sched
import secrets
import shutil
import sys
import tarfile
import tempfile
import tomllib
import unittest
import urllib.parse
import uuid
import wave
import xml.dom.minidom
import xml.etree.ElementTree as ET
import zipfile
from email.message import EmailMessage

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "data" / "train").mkdir(parents=True)
    for i in range(3):
        (folder / "data" / "train" / f"{i}.txt").write_text(f"sample {i}\n" * (i + 1))

    print("zip")
    with zipfile.ZipFile(folder / "data.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((folder / "data").rglob("*.txt")):
            archive.write(path, path.relative_to(folder))
        archive.writestr("readme.md", "# Samples")
    with zipfile.ZipFile(folder / "data.zip") as archive:
        print(archive.namelist(), archive.testzip())
        print([info.file_size for info in archive.infolist()], archive.read("readme.md"))
        archive.extractall(folder / "unzipped")
    print(sorted(path.name for path in (folder / "unzipped").rglob("*")))
    try:
        zipfile.ZipFile(io.BytesIO(b"nothing"))
    except zipfile.BadZipFile as error:
        print(error)

    print("tar")
    for kind in ("", "gz", "bz2", "xz"):
        with tarfile.open(folder / "data.tar", f"w:{kind}") as archive:
            archive.add(folder / "data", "data")
        with tarfile.open(folder / "data.tar") as archive:
            print(sorted(archive.getnames()), archive.extractfile("data/train/2.txt").readline())
            archive.extractall(folder / f"untarred{kind}", filter="data")
        print((folder / f"untarred{kind}" / "data" / "train" / "1.txt").read_text().count("sample"))

    print("gzip")
    with gzip.open(folder / "text.gz", "wt") as file:
        file.write("one\ntwo\n")
    with gzip.open(folder / "text.gz", "rt") as file:
        print(file.readlines(), gzip.decompress(gzip.compress(b"x" * 50)) == b"x" * 50)

    print("shutil")
    shutil.copytree(folder / "data", folder / "copy")
    shutil.copy(folder / "text.gz", folder / "copy")
    shutil.move(folder / "copy" / "text.gz", folder / "moved.gz")
    shutil.make_archive(str(folder / "made"), "zip", folder / "copy")
    shutil.unpack_archive(folder / "made.zip", folder / "unpacked")
    print(sorted(os.listdir(folder / "unpacked" / "train")), (folder / "moved.gz").exists())
    shutil.rmtree(folder / "copy")
    print((folder / "copy").exists())

    print("tempfile")
    with tempfile.NamedTemporaryFile("w+", suffix=".csv", dir=folder) as file:
        file.write("a,b\n")
        file.seek(0)
        print(file.read(), os.path.exists(file.name), file.name.endswith(".csv"))
    print(os.path.exists(file.name))
    with tempfile.TemporaryFile() as file:
        file.write(b"bytes")
        file.seek(1)
        print(file.read())
    number, path = tempfile.mkstemp(dir=folder)
    os.write(number, b"by number")
    os.close(number)
    print(pathlib.Path(path).read_bytes())

    print("wave")
    with wave.open(str(folder / "tone.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(800))
    with wave.open(str(folder / "tone.wav"), "rb") as sound:
        print(sound.getparams()[:4])
print(os.path.exists(name))

print("configuration")
config = configparser.ConfigParser()
config.read_string("[train]\nlr = 0.1\nepochs = 3\nshuffle = yes\n[data]\nroot = /tmp\npath = %(root)s/x\n")
print(config.sections(), config["train"].getfloat("lr"), config["train"].getboolean("shuffle"), config["data"]["path"])
config.write(sys.stdout)
print(tomllib.loads('[model]\nlayers = [1, 2]\nname = "small"\n'))
print(plistlib.loads(plistlib.dumps({"a": [1, 2.5, True]})))

print("markup")
print(html.escape("<b>&\"'</b>"), html.unescape("&lt;&eacute;&#65;"))


class Links(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        print(tag, attrs)

    def handle_data(self, data):
        print(repr(data))


Links().feed('<p class="x">See <a href="/a?b=1&amp;c">this</a><br/></p>')
root = ET.fromstring('<set n="2"><image id="a">1</image><image id="b"><label>cat</label></image></set>')
print(root.tag, root.attrib, [image.get("id") for image in root.iter("image")], root.findtext("image/label"))
ET.SubElement(root, "image", id="c").text = "<3>"
print(ET.tostring(root, encoding="unicode"))
print(xml.dom.minidom.parseString("<a><b>1</b></a>").documentElement.firstChild.toxml())

print("addresses")
print(urllib.parse.urlparse("https://example.org:80/a/b?x=1&y=2#f"), urllib.parse.parse_qs("x=1&y=2&x=3"))
print(urllib.parse.quote("a b/ü"), urllib.parse.urljoin("http://h/a/b", "../c"), urllib.parse.urlencode({"q": "a b"}))
print(ipaddress.ip_network("10.0.0.0/30").num_addresses, ipaddress.ip_address("::1").is_loopback)
print(mimetypes.guess_type("picture.png"), mimetypes.guess_type("model.tar.gz"))
print(uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), uuid.UUID(int=1), uuid.uuid4().version, uuid.uuid1().version)
message = EmailMessage()
message["To"], message["Subject"] = "a@example.org", "Results"
message.set_content("Loss: 0.5\n")
print(message.as_string())

print("secrets")
print(hmac.new(b"key", b"text", "sha256").hexdigest(), hmac.compare_digest("a", "a"))
print(len(secrets.token_hex(8)), len(secrets.token_bytes(4)), secrets.randbelow(1))

print("sched")
done = []
scheduler = sched.scheduler()
scheduler.enter(0.02, 1, done.append, ("second",))
scheduler.enter(0.01, 1, done.append, ("first",))
scheduler.run()
print(done)

print("unittest")


class Tests(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(1 + 1, 2)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)

    def test_raises(self):
        with self.assertRaisesRegex(ValueError, "invalid literal"):
            int("x")

    @unittest.skip("not now")
    def test_later(self):
        pass

    def test_wrong(self):
        self.assertIn(3, [1, 2])


result = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromTestCase(Tests).run(result)
print(result.testsRun, len(result.skipped), [text.splitlines()[-1] for _, text in result.failures], result.errors)
