"""Animations. Each frame is drawn in turn, and the figure shows the last one."""


class FuncAnimation:
    def __init__(self, fig, func, frames=None, init_func=None, fargs=None, save_count=None, *, interval=200, repeat=True,
                 repeat_delay=0, blit=False, cache_frame_data=True, **others):
        if others:
            raise TypeError(f"FuncAnimation.__init__() got an unexpected keyword argument {next(iter(others))!r}")
        if frames is None:
            raise NotImplementedError("matplotlib: FuncAnimation without frames, which never ends")
        if callable(frames):
            frames = frames()
        self.fig = fig
        if init_func is not None:
            init_func()
        for number, frame in enumerate(range(frames) if isinstance(frames, int) else frames):
            if save_count is not None and number >= save_count:
                break
            func(frame, *(fargs or ()))

    def save(self, filename, **others):
        raise NotImplementedError("matplotlib: FuncAnimation.save (a figure is one picture here; fig.savefig writes the last frame)")

    def to_jshtml(self, **others):
        raise NotImplementedError("matplotlib: FuncAnimation.to_jshtml (a figure is one picture here)")

    def to_html5_video(self, **others):
        raise NotImplementedError("matplotlib: FuncAnimation.to_html5_video (a figure is one picture here)")


class ArtistAnimation:
    def __init__(self, *args, **others):
        raise NotImplementedError("matplotlib: ArtistAnimation")


class PillowWriter:
    def __init__(self, *args, **others):
        raise NotImplementedError("matplotlib: PillowWriter (a figure is one picture here)")


class FFMpegWriter:
    def __init__(self, *args, **others):
        raise NotImplementedError("matplotlib: FFMpegWriter (a figure is one picture here)")
