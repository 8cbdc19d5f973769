"""Words as columns: how often each occurs in each text, and how telling it is."""

import re

import numpy as np

from .._sparse import csr_matrix
from ..base import BaseEstimator, TransformerMixin
from ..exceptions import InvalidParameterError, NotFittedError
from ._words import ENGLISH_STOP_WORDS


def _share(limit, count):
    return limit if isinstance(limit, int) and not isinstance(limit, bool) else limit * count


def strip_accents_unicode(s):
    import unicodedata

    return s if s.isascii() else "".join(c for c in unicodedata.normalize("NFKD", s) if not unicodedata.combining(c))


def strip_accents_ascii(s):
    import unicodedata

    return unicodedata.normalize("NFKD", s).encode("ASCII", "ignore").decode("ASCII")


class CountVectorizer(BaseEstimator):
    """Counts words: texts to (texts, words)."""

    def __init__(self, *, input="content", encoding="utf-8", decode_error="strict", strip_accents=None, lowercase=True,
                 preprocessor=None, tokenizer=None, stop_words=None, token_pattern=r"(?u)\b\w\w+\b", ngram_range=(1, 1),
                 analyzer="word", max_df=1.0, min_df=1, max_features=None, vocabulary=None, binary=False, dtype=np.int64):
        self.input, self.encoding, self.decode_error = input, encoding, decode_error
        self.strip_accents, self.lowercase = strip_accents, lowercase
        self.preprocessor, self.tokenizer, self.stop_words, self.token_pattern = preprocessor, tokenizer, stop_words, token_pattern
        self.ngram_range, self.analyzer, self.max_df, self.min_df = ngram_range, analyzer, max_df, min_df
        self.max_features, self.vocabulary, self.binary, self.dtype = max_features, vocabulary, binary, dtype

    def _supported(self):
        if self.input != "content":
            raise NotImplementedError(f"{type(self).__name__}: input= isn't supported here")

    def build_preprocessor(self):
        if self.preprocessor is not None:
            return self.preprocessor
        bare = {None: lambda text: text, "unicode": strip_accents_unicode, "ascii": strip_accents_ascii}.get(self.strip_accents,
                                                                                                          self.strip_accents)
        if not callable(bare):
            raise ValueError(f"Invalid value for \"strip_accents\": {self.strip_accents}")
        return (lambda text: bare(text.lower())) if self.lowercase else bare

    def build_tokenizer(self):
        if self.tokenizer is not None:
            return self.tokenizer
        pattern = re.compile(self.token_pattern)
        if pattern.groups > 1:
            raise ValueError("More than 1 capturing group in token pattern. Only a single group should be captured.")
        return pattern.findall

    def get_stop_words(self):
        if self.stop_words == "english":
            return ENGLISH_STOP_WORDS
        if isinstance(self.stop_words, str):
            raise InvalidParameterError(f"The 'stop_words' parameter of {type(self).__name__} must be a str among {{'english'}}, an "
                                        f"instance of 'list' or None. Got {self.stop_words!r} instead.")
        return None if self.stop_words is None else frozenset(self.stop_words)

    def build_analyzer(self):
        self._supported()
        if callable(self.analyzer):
            return self.analyzer
        prepare = self.build_preprocessor()
        low, high = self.ngram_range
        if self.analyzer == "char":
            def letters(text):
                text = re.sub(r"\s\s+", " ", prepare(text))
                return [text[i:i + n] for n in range(low, min(high, len(text)) + 1) for i in range(len(text) - n + 1)]

            return letters
        if self.analyzer == "char_wb":
            def padded(text):
                found = []
                for word in prepare(text).split():
                    word = f" {word} "
                    for n in range(low, high + 1):
                        found += [word[i:i + n] for i in range(max(1, len(word) - n + 1))]
                        if n >= len(word):
                            break
                return found

            return padded
        tokens, stop = self.build_tokenizer(), self.get_stop_words()

        def words(text):
            found = tokens(prepare(text.decode(self.encoding, self.decode_error) if isinstance(text, bytes) else text))
            if stop is not None:
                found = [word for word in found if word not in stop]
            if high == 1:
                return found
            return [" ".join(found[i:i + n]) for n in range(low, min(high, len(found)) + 1) for i in range(len(found) - n + 1)]

        return words

    def _counted(self, raw_documents, known):
        analyze = self.build_analyzer()
        vocabulary = {} if known is None else known
        rows = []
        for text in raw_documents:
            row = {}
            for word in analyze(text):
                if known is None:
                    vocabulary.setdefault(word, len(vocabulary))
                elif word not in vocabulary:
                    continue
                row[vocabulary[word]] = row.get(vocabulary[word], 0) + 1
            rows.append(row)
        if not vocabulary:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        table = np.zeros((len(rows), len(vocabulary)), dtype=self.dtype)
        for i, row in enumerate(rows):
            if row:
                columns = list(row)
                table[i, np.array(columns)] = np.array([row[c] for c in columns])
        return vocabulary, table

    def _checked(self, raw_documents):
        if isinstance(raw_documents, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        low, high = self.ngram_range
        if low > high:
            raise ValueError(f"Invalid value for ngram_range={self.ngram_range} lower boundary larger than the upper boundary.")

    def _fixed(self):
        if self.vocabulary is None:
            return None
        if isinstance(self.vocabulary, dict):
            return dict(self.vocabulary)
        words = sorted(self.vocabulary) if isinstance(self.vocabulary, set) else list(self.vocabulary)
        return {word: i for i, word in enumerate(words)}

    def fit(self, raw_documents, y=None):
        self.fit_transform(raw_documents)
        return self

    def fit_transform(self, raw_documents, y=None):
        return csr_matrix(self._learn(raw_documents), self._rank)

    def _learn(self, raw_documents):
        self._checked(raw_documents)
        fixed = self._fixed()
        vocabulary, table = self._counted(raw_documents, fixed)
        self.fixed_vocabulary_ = fixed is not None
        if fixed is None:
            words = sorted(vocabulary)
            self._rank = np.array([vocabulary[word] for word in words])
            table = table[:, np.array([vocabulary[word] for word in words])]
            often, total, count = (table > 0).sum(axis=0), table.sum(axis=0), len(table)
            high, low = _share(self.max_df, count), _share(self.min_df, count)
            if high < low:
                raise ValueError("max_df corresponds to < documents than min_df")
            keep = (often <= high) & (often >= low)
            if self.max_features is not None and int(keep.sum()) > self.max_features:
                most = np.argsort(-total[keep], kind="stable")[:self.max_features]
                chosen = np.zeros(len(keep), dtype=bool)
                chosen[np.where(keep)[0][most]] = True
                keep = chosen
            places = np.where(keep)[0]
            if not len(places):
                raise ValueError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
            table, self._rank = table[:, places], self._rank[places]
            number = int if self.max_features is None else np.int64
            # The words stay in the order in which they first appear, as in scikit-learn.
            columns = {words[p]: number(i) for i, p in enumerate(places.tolist())}
            vocabulary = {word: columns[word] for word in vocabulary if word in columns}
        else:
            self._rank = None
        self.vocabulary_ = vocabulary
        return (table > 0).astype(self.dtype) if self.binary else table

    def transform(self, raw_documents):
        return csr_matrix(self._transformed(raw_documents))

    def _transformed(self, raw_documents):
        self._checked(raw_documents)
        if not hasattr(self, "vocabulary_"):
            self.vocabulary_ = self._fixed()
            if self.vocabulary_ is None:
                del self.vocabulary_
                raise NotFittedError("Vocabulary not fitted or provided")
        _, table = self._counted(raw_documents, self.vocabulary_)
        return (table > 0).astype(self.dtype) if self.binary else table

    def get_feature_names_out(self, input_features=None):
        if not hasattr(self, "vocabulary_"):
            raise NotFittedError("Vocabulary not fitted or provided")
        return np.array(sorted(self.vocabulary_, key=self.vocabulary_.get), dtype=object)

    def inverse_transform(self, X):
        names = np.array(self.get_feature_names_out().tolist())
        return [names[row != 0] for row in np.asarray(X)]


class TfidfTransformer(TransformerMixin, BaseEstimator):
    """Weighs counts: a word that is in few texts counts more."""

    _fitted = "n_features_in_"

    def __init__(self, *, norm="l2", use_idf=True, smooth_idf=True, sublinear_tf=False):
        self.norm, self.use_idf, self.smooth_idf, self.sublinear_tf = norm, use_idf, smooth_idf, sublinear_tf

    def fit(self, X, y=None):
        X = np.asarray(X)
        if self.use_idf:
            often, count = (X != 0).sum(axis=0).astype(float), X.shape[0]
            if self.smooth_idf:
                often, count = often + 1, count + 1
            self.idf_ = np.log(count / often) + 1.0
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X, copy=True):
        self._need_fit()
        return csr_matrix(self._weighed(np.asarray(X)))

    def _weighed(self, X):
        X = X.astype(float)
        if self.sublinear_tf:
            X = np.where(X > 0, np.log(np.where(X > 0, X, 1.0)) + 1.0, 0.0)
        if self.use_idf:
            X = X * self.idf_
        if self.norm is not None:
            size = np.sqrt((X * X).sum(axis=1)) if self.norm == "l2" else np.abs(X).sum(axis=1)
            X = X / np.where(size == 0, 1.0, size)[:, None]
        return X


class TfidfVectorizer(CountVectorizer):
    """`CountVectorizer`, then `TfidfTransformer`."""

    def __init__(self, *, input="content", encoding="utf-8", decode_error="strict", strip_accents=None, lowercase=True,
                 preprocessor=None, tokenizer=None, analyzer="word", stop_words=None, token_pattern=r"(?u)\b\w\w+\b", ngram_range=(1, 1),
                 max_df=1.0, min_df=1, max_features=None, vocabulary=None, binary=False, dtype=np.float64, norm="l2", use_idf=True,
                 smooth_idf=True, sublinear_tf=False):
        super().__init__(input=input, encoding=encoding, decode_error=decode_error, strip_accents=strip_accents, lowercase=lowercase,
                         preprocessor=preprocessor, tokenizer=tokenizer, analyzer=analyzer, stop_words=stop_words,
                         token_pattern=token_pattern, ngram_range=ngram_range, max_df=max_df, min_df=min_df, max_features=max_features,
                         vocabulary=vocabulary, binary=binary, dtype=dtype)
        self.norm, self.use_idf, self.smooth_idf, self.sublinear_tf = norm, use_idf, smooth_idf, sublinear_tf

    def _weights(self):
        return TfidfTransformer(norm=self.norm, use_idf=self.use_idf, smooth_idf=self.smooth_idf, sublinear_tf=self.sublinear_tf)

    def fit_transform(self, raw_documents, y=None):
        table = self._learn(raw_documents)
        self._tfidf = self._weights().fit(table)
        return csr_matrix(self._tfidf._weighed(table), self._rank)

    def transform(self, raw_documents):
        if not hasattr(self, "_tfidf"):
            raise NotFittedError("The TF-IDF vectorizer is not fitted")
        return self._tfidf.transform(self._transformed(raw_documents))

    @property
    def idf_(self):
        if not hasattr(self, "_tfidf"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                                 "using this attribute.")
        return self._tfidf.idf_


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.feature_extraction.text.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.feature_extraction.text' has no attribute '{name}'")
