"""An ONNX graph of a linear classifier: MatMul, Add, Softmax, ArgMax and a look-up of the label."""
import numpy as np


def _need_onnx(dtype):
    """The number of the type in ONNX."""
    try:
        from onnx import TensorProto
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install lazylogit[onnx]") from error
    if dtype not in (np.float32, np.float64):
        raise ValueError(f"dtype={dtype}: expected float32 or float64")
    return TensorProto.FLOAT if dtype == np.float32 else TensorProto.DOUBLE


def _checked(graph):
    import onnx
    from onnx import helper

    model = helper.make_model(graph, producer_name="lazylogit", opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8  # what older runtimes read
    onnx.checker.check_model(model)
    return model


def regression_proto(estimator, dtype):
    kind = _need_onnx(dtype)
    from onnx import helper, numpy_helper

    return _checked(helper.make_graph(
        [helper.make_node("MatMul", ["X", "coefficients"], ["products"]), helper.make_node("Add", ["products", "intercept"], ["y"])],
        "lazylogit",
        [helper.make_tensor_value_info("X", kind, [None, len(estimator.coef_)])],
        [helper.make_tensor_value_info("y", kind, [None])],
        [numpy_helper.from_array(estimator.coef_.astype(dtype), "coefficients"),
         numpy_helper.from_array(np.array([estimator.intercept_], dtype), "intercept")]))


def model_proto(estimator, dtype):
    kind = _need_onnx(dtype)
    from onnx import TensorProto, helper, numpy_helper

    if estimator.multilabel_:
        return _labels_proto(estimator, dtype, kind)
    coefficients, intercepts = estimator.coef_, estimator.intercept_
    if len(estimator.classes_) == 2:  # softmax of (0, score) is the sigmoid
        coefficients = np.vstack([np.zeros_like(coefficients), coefficients])
        intercepts = np.concatenate([np.zeros(1), intercepts])
    labels = estimator.classes_
    if labels.dtype.kind in "iub":
        labels, label_kind = labels.astype(np.int64), TensorProto.INT64
    elif labels.dtype.kind == "f":
        labels, label_kind = labels.astype(np.float64), TensorProto.DOUBLE
    else:
        labels, label_kind = np.array([str(label) for label in labels], dtype=object), TensorProto.STRING
    width = coefficients.shape[1]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["X", "coefficients"], ["products"]),
         helper.make_node("Add", ["products", "intercepts"], ["scores"]),
         helper.make_node("Softmax", ["scores"], ["probabilities"], axis=1),
         helper.make_node("ArgMax", ["scores"], ["best"], axis=1, keepdims=0),
         helper.make_node("Gather", ["classes", "best"], ["label"])],
        "lazylogit",
        [helper.make_tensor_value_info("X", kind, [None, width])],
        [helper.make_tensor_value_info("label", label_kind, [None]),
         helper.make_tensor_value_info("probabilities", kind, [None, len(labels)])],
        [numpy_helper.from_array(np.ascontiguousarray(coefficients.T.astype(dtype)), "coefficients"),
         numpy_helper.from_array(intercepts.astype(dtype), "intercepts"),
         numpy_helper.from_array(labels, "classes")])
    return _checked(graph)


def _labels_proto(estimator, dtype, kind):
    """Sets of labels: `label` is a table of 0 and 1."""
    from onnx import TensorProto, helper, numpy_helper

    labels, width = estimator.coef_.shape
    return _checked(helper.make_graph(
        [helper.make_node("MatMul", ["X", "coefficients"], ["products"]),
         helper.make_node("Add", ["products", "intercepts"], ["scores"]),
         helper.make_node("Sigmoid", ["scores"], ["probabilities"]),
         helper.make_node("Greater", ["scores", "zero"], ["present"]),
         helper.make_node("Cast", ["present"], ["label"], to=TensorProto.INT64)],
        "lazylogit",
        [helper.make_tensor_value_info("X", kind, [None, width])],
        [helper.make_tensor_value_info("label", TensorProto.INT64, [None, labels]),
         helper.make_tensor_value_info("probabilities", kind, [None, labels])],
        [numpy_helper.from_array(np.ascontiguousarray(estimator.coef_.T.astype(dtype)), "coefficients"),
         numpy_helper.from_array(estimator.intercept_.astype(dtype), "intercepts"),
         numpy_helper.from_array(np.zeros(1, dtype), "zero")]))


def written(proto, path):
    """``proto``, written to ``path`` unless that is None."""
    if path is not None:
        with open(path, "wb") as out:
            out.write(proto.SerializeToString())
    return proto
