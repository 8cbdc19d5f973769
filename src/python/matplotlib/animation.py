"""Animations. Every frame is made and drawn at once; the figure shows the last one, and HTML shows them in turn."""

import json
import os


class Animation:
    def __init__(self, fig, interval, repeat):
        self._fig, self._interval, self._repeat, self._pages = fig, interval, repeat, []

    def _keep(self):
        self._pages.append(self._fig.svg())

    def to_jshtml(self, fps=None, embed_frames=True, default_mode=None):
        """A page that shows one frame after the other."""
        wait = self._interval if fps is None else 1000 / fps
        step = "(i + 1) % pages.length" if self._repeat else "Math.min(i + 1, pages.length - 1)"
        pages = json.dumps(self._pages).replace("</", "<\\/")
        return (f"<div class=\"animation\"></div>\n<script>\n(() => {{\n  const pages = {pages};\n"
                "  const place = document.currentScript.previousElementSibling;\n  let i = 0;\n"
                f"  const show = () => {{ place.innerHTML = pages[i]; i = {step}; }};\n"
                f"  show();\n  setInterval(show, {wait});\n}})();\n</script>\n")

    def to_html5_video(self, embed_limit=None):
        raise NotImplementedError("matplotlib: Animation.to_html5_video (there are no videos here; to_jshtml shows the frames)")

    def save(self, filename, writer=None, fps=None, **others):
        path = os.fspath(filename)
        if not path.endswith((".html", ".htm")):
            raise NotImplementedError(f"matplotlib: Animation.save({path!r}) (there are no videos and GIFs here; a name that ends "
                                      "in .html is written)")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_jshtml(fps))

    def pause(self):
        """There is nothing to stop: every frame has been drawn."""

    resume = pause


class FuncAnimation(Animation):
    def __init__(self, fig, func, frames=None, init_func=None, fargs=None, save_count=None, *, interval=200, repeat=True,
                 repeat_delay=0, blit=False, cache_frame_data=True):
        super().__init__(fig, interval, repeat)
        if frames is None and save_count is None:
            raise NotImplementedError("matplotlib: FuncAnimation without frames, which never ends")
        if callable(frames):
            frames = frames()
        if init_func is not None:
            init_func()
        for number, frame in enumerate(range(save_count if frames is None else frames) if frames is None or isinstance(frames, int)
                                       else frames):
            if save_count is not None and number >= save_count:
                break
            func(frame, *(fargs or ()))
            self._keep()


class ArtistAnimation(Animation):
    """Frames that are lists of things on the axes: each shows its own, and nothing of the others."""

    def __init__(self, fig, artists, *, interval=200, repeat=True, repeat_delay=0, blit=False):
        super().__init__(fig, interval, repeat)
        frames = [list(frame) if isinstance(frame, (list, tuple)) else [frame] for frame in artists]
        moving = [artist for frame in frames for artist in frame]
        for frame in frames:
            for artist in moving:
                here = artist.axes.artists
                if artist in here and artist not in frame:
                    here.remove(artist)
            for artist in frame:
                if artist not in artist.axes.artists:
                    artist.axes.artists.append(artist)
            self._keep()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name.endswith("Writer"):
        raise NotImplementedError(f"matplotlib.animation.{name} (there are no videos and GIFs here)")
    raise AttributeError(f"module 'matplotlib.animation' has no attribute {name!r}")
