"""Code, and pages inside a page."""

import html
from urllib.parse import urlencode

from ..core.display import TextDisplayObject


class Code(TextDisplayObject):
    """Source code. It prints as it is, without colors: there is no Pygments here."""

    def __init__(self, data=None, url=None, filename=None, language=None):
        self.language = language
        super().__init__(data=data, url=url, filename=filename)

    def __repr__(self):
        return self.data

    def _repr_html_(self):
        return f"<pre>{html.escape(self.data)}</pre>"


class IFrame:
    """A page in a frame. Arguments that aren't sizes become its query."""

    def __init__(self, src, width, height, extras=None, **kwargs):
        if extras is None:
            extras = []
        self.src = src
        self.width = width
        self.height = height
        self.extras = extras
        self.params = kwargs

    def _repr_html_(self):
        query = "?" + urlencode(self.params) if self.params else ""
        more = " ".join(self.extras)
        size = f'width="{self.width}" height="{self.height}"'
        return f'<iframe {size} src="{self.src}{query}" frameborder="0" allowfullscreen {more}></iframe>'


class YouTubeVideo(IFrame):
    """A video by its name at YouTube."""

    def __init__(self, id, width=400, height=300, allow_autoplay=False, **kwargs):
        self.id = id
        extras = []
        if allow_autoplay:
            extras = ['allow="autoplay"']
            kwargs.update(autoplay=1)
        super().__init__(f"https://www.youtube.com/embed/{id}", width, height, extras=extras, **kwargs)
