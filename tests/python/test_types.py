"""The stub files say what is there."""
import ast
import inspect
import pathlib

import pytest

import lazylogit
from lazylogit import _core

FOLDER = pathlib.Path(lazylogit.__file__).parent


def classes_of(stub):
    tree = ast.parse((FOLDER / stub).read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def arguments(function):
    return [argument.arg for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]]


@pytest.mark.parametrize("name", ["Dataset", "LogisticRegression", "LogisticRegressionCV", "KernelLogisticRegression", "StreamingClassifier",
                                  "LinearRegression"])
def test_classes_have_the_methods_and_parameters_of_their_stubs(name):
    classes = classes_of("__init__.pyi")
    real = getattr(lazylogit, name)
    waiting, methods = [name], {}
    while waiting:
        node = classes.get(waiting.pop(0))
        if node is None:
            continue
        waiting += [base.id for base in node.bases if isinstance(base, ast.Name)]
        for item in node.body:
            if isinstance(item, ast.FunctionDef):
                methods.setdefault(item.name, item)
    assert "fit" in methods or name == "Dataset"
    for method, node in methods.items():
        there = inspect.getattr_static(real, method)
        if isinstance(there, property):
            assert any(getattr(decorator, "id", "") == "property" for decorator in node.decorator_list)
        else:
            assert arguments(node) == list(inspect.signature(there).parameters), method


def test_the_module_has_what_its_stubs_say():
    tree = ast.parse((FOLDER / "__init__.pyi").read_text(encoding="utf-8"))
    public = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")}
    assert public | {"Model"} == set(lazylogit.__all__) | {"Explanation"}
    for item in classes_of("_core.pyi")["Model"].body:
        if isinstance(item, ast.FunctionDef):
            assert hasattr(_core.Model, item.name), item.name
    assert (FOLDER / "py.typed").exists()


def test_names_and_docs():
    for name in lazylogit.__all__:
        assert getattr(lazylogit, name).__doc__, name
    assert sorted(lazylogit.__all__) == dir(lazylogit)
    with pytest.raises(AttributeError):
        lazylogit.nothing
