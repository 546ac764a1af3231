"""Models for others: ONNX, scikit-learn, JSON."""
import numpy as np


class ExportMixin:
    def to_json(self):
        """Everything about the model as a JSON document, as ``lazylogit inspect --json`` prints it."""
        return self._model().to_json()

    def to_sklearn(self):
        """A fitted scikit-learn LogisticRegression with the same coefficients, classes and predictions.

        >>> from sklearn.datasets import load_iris
        >>> from lazylogit import LogisticRegression
        >>> x, y = load_iris(return_X_y=True)
        >>> model = LogisticRegression().fit(x, y)
        >>> bool(abs(model.to_sklearn().predict_proba(x) - model.predict_proba(x)).max() < 1e-12)
        True
        """
        from sklearn.linear_model import LogisticRegression as Peer

        self._need_columns("scikit-learn")
        peer = Peer()
        for name in ("coef_", "intercept_", "classes_"):
            setattr(peer, name, np.array(getattr(self, name)))
        peer.n_iter_ = np.array(self.n_iter_, dtype=np.int32)
        peer.n_features_in_ = self.coef_.shape[1]
        if hasattr(self, "feature_names_in_"):
            peer.feature_names_in_ = self.feature_names_in_
        return peer

    def to_onnx(self, path=None, *, dtype=np.float32):
        """The model as an ONNX graph (needs the package ``onnx``): input ``X`` (rows × features), outputs ``label`` and
        ``probabilities``. Written to ``path`` when one is given; returns the ``onnx.ModelProto``.

        ``dtype`` is that of input and arithmetic, float32 or float64.
        """
        from ._onnx import model_proto, written

        self._need_columns("ONNX")
        return written(model_proto(self, np.dtype(dtype)), path)

    def _need_columns(self, whom):
        model = self._model()
        if model.has_kernel:
            raise ValueError(f"the model compares rows by a kernel, which the {whom} export does not write")
        if model.kind == "text" or self._typed:
            raise ValueError(f"the model reads text or categories, which {whom} does not know; export models of numeric columns")
