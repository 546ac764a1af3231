"""Models for others: ONNX, scikit-learn, JSON."""
import numpy as np


class ExportMixin:
    def to_json(self):
        """Everything about the model as a JSON document, as ``lazylogit inspect --json`` prints it."""
        return self._model().to_json()

    def to_sklearn(self):
        """A fitted scikit-learn LogisticRegression with the same coefficients, classes and predictions. Of a model of labels
        a OneVsRestClassifier of these.

        >>> from sklearn.datasets import load_iris
        >>> from lazylogit import LogisticRegression
        >>> x, y = load_iris(return_X_y=True)
        >>> model = LogisticRegression().fit(x, y)
        >>> bool(abs(model.to_sklearn().predict_proba(x) - model.predict_proba(x)).max() < 1e-12)
        True
        """
        from sklearn.linear_model import LogisticRegression as Peer

        self._need_columns("scikit-learn")
        if self.multilabel_:
            return self._sklearn_of_labels(Peer)
        peer = Peer()
        for name in ("coef_", "intercept_", "classes_"):
            setattr(peer, name, np.array(getattr(self, name)))
        peer.n_iter_ = np.array(self.n_iter_, dtype=np.int32)
        peer.n_features_in_ = self.coef_.shape[1]
        if hasattr(self, "feature_names_in_"):
            peer.feature_names_in_ = self.feature_names_in_
        return peer

    def _sklearn_of_labels(self, kind):
        from sklearn.multiclass import OneVsRestClassifier
        from sklearn.preprocessing import LabelBinarizer

        peer = OneVsRestClassifier(kind())
        peer.estimators_ = []
        for b, a in zip(self.coef_, self.intercept_):
            one = kind()
            one.coef_, one.intercept_, one.classes_ = b[None].copy(), np.array([a]), np.array([0, 1])
            one.n_iter_, one.n_features_in_ = np.array(self.n_iter_, dtype=np.int32), len(b)
            peer.estimators_.append(one)
        peer.label_binarizer_ = LabelBinarizer().fit(np.eye(len(self.classes_), dtype=int) if len(self.classes_) > 2
                                                     else np.array([[0, 1], [1, 0], [1, 1]]))
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
