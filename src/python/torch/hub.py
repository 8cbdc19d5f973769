"""The names of torch.hub. There is no network here, so whatever would download is refused."""

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]


def __getattr__(name):
    if name == "tqdm":
        from tqdm import tqdm
        return tqdm
    if name in __all__:
        def refuse(*args, **kwargs):
            raise NotImplementedError(f"torch.hub.{name}: models can't be downloaded here, because there is no network. Build "
                                      "the model in your program, and load its weights with torch.load.")

        refuse.__name__ = name
        return refuse
    raise AttributeError(f"module 'torch.hub' has no attribute '{name}'")
