"""Which vocabulary a model of OpenAI uses."""

from .registry import get_encoding

_PREFIXES = {"o200k_base": ("o1-", "o3-", "o4-mini-", "gpt-5", "gpt-4.5-", "gpt-4.1-", "chatgpt-4o-", "gpt-4o-", "ft:gpt-4o"),
             "o200k_harmony": ("gpt-oss-",),
             "cl100k_base": ("gpt-4-", "gpt-3.5-turbo-", "gpt-35-turbo-", "ft:gpt-4", "ft:gpt-3.5-turbo", "ft:davinci-002",
                             "ft:babbage-002")}
_MODELS = {"o200k_base": ("o1", "o3", "o4-mini", "gpt-5", "gpt-4.1", "gpt-4o"),
           "cl100k_base": ("gpt-4", "gpt-3.5-turbo", "gpt-3.5", "gpt-35-turbo", "davinci-002", "babbage-002",
                           "text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large"),
           "p50k_base": ("text-davinci-003", "text-davinci-002", "code-davinci-002", "code-davinci-001", "code-cushman-002",
                         "code-cushman-001", "davinci-codex", "cushman-codex"),
           "p50k_edit": ("text-davinci-edit-001", "code-davinci-edit-001"),
           "r50k_base": ("text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001", "davinci", "curie", "babbage",
                         "ada"),
           "gpt2": ("gpt2", "gpt-2")}


def encoding_name_for_model(model_name):
    for encoding, models in _MODELS.items():
        if model_name in models:
            return encoding
    for encoding, prefixes in _PREFIXES.items():
        if model_name.startswith(prefixes):
            return encoding
    raise KeyError(f"Could not automatically map {model_name} to a tokeniser. Please use `tiktoken.get_encoding` to explicitly get the "
                   "tokeniser you expect.")


def encoding_for_model(model_name):
    return get_encoding(encoding_name_for_model(model_name))
