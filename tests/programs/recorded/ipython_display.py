"""IPython's display outside a notebook."""

import os
import tempfile
import warnings

import IPython
from IPython import display as module
from IPython import get_ipython
from IPython.core.display import HTML as core_HTML
from IPython.display import (
    HTML, JSON, SVG, Code, DisplayHandle, DisplayObject, IFrame, Image, Javascript, Latex, Markdown, Math, Pretty, ProgressBar,
    TextDisplayObject, YouTubeVideo, clear_output, display, display_html, display_png, publish_display_data,
    update_display,
)

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest, **more: print("warning", category.__name__, message)


class Shown:
    def __repr__(self):
        return "shown"

    def _repr_html_(self):
        return "<b>shown</b>"


def attempt(what, *args, **options):
    try:
        print(repr(what(*args, **options)))
    except Exception as e:
        print(type(e).__name__, e)


print(IPython.get_ipython(), get_ipython(), module.HTML is HTML, core_HTML is HTML, IPython.display is module)
display()
display(1, "a", [1, 2], None, {"a": 1.5}, Shown())
print(display(Shown(), display_id=True), display(Shown(), display_id="x"), display("y", clear=True))
display({"text/plain": "raw"}, raw=True)
display("x", include=["text/html"], exclude=["text/plain"], metadata={}, transient={})
display_html("<b>", HTML("<b>"))
display_png(HTML("q"), raw=False)
attempt(update_display, 3, display_id="a")
attempt(update_display, 3)
handle = DisplayHandle("me")
print(repr(handle), handle.display_id, len(DisplayHandle().display_id))
handle.display("h")
handle.update("i")

for thing in (HTML("<b>x</b>"), Markdown("# x"), Code("x = 1"), Code("x = 1", language="python"), Math("x"), Latex("$x$"),
              JSON({"a": 1}), Javascript("x"), Pretty("x"), Image(b"\x89PNG\r\n\x1a\n"), Image(url="http://a/b.png"),
              Image("nofile.png"), TextDisplayObject("t"), DisplayObject("d"), DisplayObject(3), HTML(), Markdown()):
    display(thing)
    print(str(thing), [thing], type(thing).__module__)
print(HTML("<b>x</b>").data, HTML("<b>x</b>")._repr_html_(), HTML("a", metadata={"b": 1})._repr_html_(), HTML("c").__html__())
print(Markdown("# x")._repr_markdown_(), Math("$x^2$")._repr_latex_(), Latex("$x$")._repr_latex_(), JSON([1])._repr_json_())
print(HTML("x").metadata, HTML("x").url, HTML("x").filename, Code("x", language="c").language)
image = Image(b"\x89PNG\r\n\x1a\n", width=3)
print(image.format, image.embed, image.width, image.height, image.retina, Image(b"\xff\xd8").format, Image(b"GIF89a").format)
print(Image(url="http://a/b.png", width=3, height=4)._repr_html_(), Image(url="http://a/b.jpg").format)
frame = IFrame("http://a", 10, 20, page=3)
print(frame.src, frame.width, frame.params, "?page=3" in frame._repr_html_(), YouTubeVideo("abc", allow_autoplay=True).src)

attempt(Image)
attempt(Image, b"abc", format="xyz")
attempt(HTML, 3)
attempt(Markdown, b"x")
attempt(Markdown, 3)
attempt(HTML, filename="nofile.html")
attempt(JSON, "x")
attempt(JSON, '{"a": [1]}')
attempt(JSON, 3)
attempt(Javascript, "x", lib=3)
attempt(HTML, '<iframe src="x"></iframe>')

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "page.html")
    with open(path, "w") as f:
        f.write("<i>file</i>")
    print(HTML(filename=path).data, HTML(path).data, Code(filename=path), Markdown(path).data)

for i in ProgressBar(2):
    print("step", i)
bar = ProgressBar(8)
bar.progress = 3
bar.display()
clear_output()
print("after")
clear_output(wait=True)
print()
# The first of these starts a shell in IPython, so nothing is displayed after it.
publish_display_data({"text/plain": "plain", "text/html": "<b>"})
publish_display_data({"text/html": "<b>"})
