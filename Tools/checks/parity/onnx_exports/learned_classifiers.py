"""Classifiers and regressors of scikit-learn, XGBoost and LightGBM as their converters write them, held against the libraries."""
import pathlib
import random
import warnings

import lightgbm
import numpy as np
import onnxmltools
import skl2onnx
import xgboost
from onnxmltools.convert.common.data_types import FloatTensorType as OtherFloats
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType
from held import expected
from sklearn import (calibration, discriminant_analysis, ensemble, feature_selection, impute, linear_model, multiclass, naive_bayes, neural_network,
                     pipeline, preprocessing, decomposition, svm, tree)

# Rows of the sample that a model is held to.
ROWS = 200


def sample(draw, numbers, classes, width):
    """Rows, their classes, and numbers to be foretold."""
    centres = numbers.normal(0, 2, (classes, width))
    labels = numbers.integers(0, classes, 400)
    rows = (centres[labels] + numbers.normal(0, 1.5, (400, width))).astype(np.float32)
    return rows, labels, (rows @ numbers.normal(0, 1, width) + numbers.normal(0, 0.1, 400)).astype(np.float32)


def scalers(draw, width):
    return draw.choice([
        [], [preprocessing.StandardScaler()], [preprocessing.MinMaxScaler()], [preprocessing.MaxAbsScaler()], [preprocessing.RobustScaler()],
        [preprocessing.Normalizer(draw.choice(["l1", "l2", "max"]))], [impute.SimpleImputer(strategy=draw.choice(["mean", "median"]))],
        [preprocessing.PolynomialFeatures(2, include_bias=draw.random() < 0.5)], [preprocessing.Binarizer(threshold=0.2)],
        [decomposition.PCA(max(1, width - 1))], [decomposition.TruncatedSVD(max(1, width - 1))], [feature_selection.SelectKBest(k=max(1, width - 1))],
        [preprocessing.StandardScaler(), decomposition.PCA(max(1, width - 1), whiten=True)], [preprocessing.KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf")],
        [preprocessing.PowerTransformer()], [preprocessing.QuantileTransformer(n_quantiles=20)] if False else [preprocessing.StandardScaler()],
    ])


def classifiers(draw):
    return draw.choice([
        linear_model.LogisticRegression(max_iter=500), linear_model.LogisticRegressionCV(max_iter=300, cv=3) if False else linear_model.RidgeClassifier(),
        linear_model.SGDClassifier(loss="log_loss"), linear_model.Perceptron(), linear_model.PassiveAggressiveClassifier() if False else linear_model.SGDClassifier(loss="hinge"),
        svm.LinearSVC(), svm.SVC(probability=False), tree.DecisionTreeClassifier(max_depth=draw.choice([2, 6, None])), tree.ExtraTreeClassifier(), ensemble.RandomForestClassifier(draw.choice([1, 10]), max_depth=6),
        ensemble.ExtraTreesClassifier(8), ensemble.GradientBoostingClassifier(n_estimators=8), ensemble.HistGradientBoostingClassifier(max_iter=8), ensemble.AdaBoostClassifier(n_estimators=6),
        ensemble.BaggingClassifier(n_estimators=4), ensemble.VotingClassifier([("a", linear_model.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=4))], voting=draw.choice(["hard", "soft"]), flatten_transform=False),
        ensemble.StackingClassifier([("a", linear_model.LogisticRegression()), ("b", naive_bayes.GaussianNB())]), naive_bayes.GaussianNB(), naive_bayes.BernoulliNB(),
        discriminant_analysis.LinearDiscriminantAnalysis(), discriminant_analysis.QuadraticDiscriminantAnalysis(), neural_network.MLPClassifier((8,), max_iter=60, activation=draw.choice(["relu", "tanh", "logistic", "identity"])),
        multiclass.OneVsRestClassifier(linear_model.LogisticRegression()), multiclass.OneVsOneClassifier(linear_model.LogisticRegression()), calibration.CalibratedClassifierCV(linear_model.LogisticRegression(), cv=2, method=draw.choice(["sigmoid", "isotonic"])),
        xgboost.XGBClassifier(n_estimators=draw.choice([1, 8]), max_depth=4), xgboost.XGBClassifier(n_estimators=6, booster="gblinear") if False else xgboost.XGBRFClassifier(n_estimators=6),
        lightgbm.LGBMClassifier(n_estimators=8, verbose=-1), lightgbm.LGBMClassifier(n_estimators=4, boosting_type="dart", verbose=-1),
    ])


def regressors(draw):
    return draw.choice([
        linear_model.LinearRegression(), linear_model.Ridge(), linear_model.Lasso(0.01), linear_model.ElasticNet(0.01), linear_model.HuberRegressor(), linear_model.PoissonRegressor() if False else linear_model.BayesianRidge(),
        svm.LinearSVR(), svm.SVR(), tree.DecisionTreeRegressor(max_depth=6), ensemble.RandomForestRegressor(8), ensemble.GradientBoostingRegressor(n_estimators=8), ensemble.HistGradientBoostingRegressor(max_iter=8),
        ensemble.AdaBoostRegressor(n_estimators=5), neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=60), xgboost.XGBRegressor(n_estimators=8), lightgbm.LGBMRegressor(n_estimators=8, verbose=-1),
        ensemble.ExtraTreesRegressor(6), ensemble.BaggingRegressor(n_estimators=4),
    ])


def convert(model, last, width, with_map):
    kind = type(last).__module__.split(".")[0]
    if kind == "xgboost":
        return onnxmltools.convert_xgboost(model, initial_types=[("x", OtherFloats([None, width]))])
    if kind == "lightgbm":
        return onnxmltools.convert_lightgbm(model, initial_types=[("x", OtherFloats([None, width]))], zipmap=with_map)
    options = {id(model): {"zipmap": with_map}} if with_map is not None and not hasattr(last, "fit_predict") and hasattr(last, "predict_proba") else None
    return skl2onnx.to_onnx(model, initial_types=[("x", FloatTensorType([None, width]))], options=options, target_opset=None)


def run(judge, count, seed, folder, only=None):
    for index in range(count):
        if only is not None and str(index) != str(only):
            continue
        draw = random.Random(f"{seed}/{index}")
        numbers = np.random.default_rng(draw.randrange(1 << 30))
        np.random.seed(draw.randrange(1 << 30))
        classes, width = draw.choice([2, 3, 5]), draw.choice([2, 4, 9])
        rows, labels, targets = sample(draw, numbers, classes, width)
        is_classifier = draw.random() < 0.7
        last = classifiers(draw) if is_classifier else regressors(draw)
        module = type(last).__module__.split(".")[0]
        # Texts as labels, and numbers that do not begin at 0.
        named = module == "sklearn" and draw.random() < 0.3
        if is_classifier and named:
            labels = np.array(["ant", "bee", "cat", "dog", "elk"])[labels]
        elif is_classifier and module == "sklearn" and draw.random() < 0.3:
            labels = labels * 10 + 7
        steps = scalers(draw, width) if module == "sklearn" else []
        model = pipeline.make_pipeline(*steps, last) if steps else last
        kind = {"sklearn": "scikit-learn", "xgboost": "XGBoost", "lightgbm": "LightGBM"}[module]
        name = f"{seed}/{index} " + "+".join(type(part).__name__ for part in steps + [last]) + f" ({classes if is_classifier else 'no'} classes)"
        path = pathlib.Path(folder) / f"learned-{index}.onnx"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                model.fit(rows, labels if is_classifier else targets)
                converted = convert(model, last, width, draw.choice([True, False]))
            except Exception as error:
                judge.count(kind, name, "not exported", str(error).strip().splitlines()[0][:160])
                continue
            path.write_bytes(converted.SerializeToString())
            x = rows[:ROWS]
            wanted = [model.predict(x)]
            if is_classifier and hasattr(model, "predict_proba"):
                wanted.append(model.predict_proba(x))
        judge.count(kind, name, *held(judge, path, x, wanted, is_classifier, getattr(model, "classes_", None), len(converted.graph.output)))


def held(judge, path, x, wanted, is_classifier, classes, outputs):
    """A verdict on a model that should give the library's labels and probabilities, or else those of ONNX Runtime."""
    verdict = "passed", ""
    for instructions in judge.sets:
        found, why = judge.run(path, {"x": x}, outputs, instructions, 1)
        if found is None:
            return why
        away = distance(found, wanted, is_classifier, classes)
        if not away:
            continue
        other = distance(found, [plain(values) for values in expected(path, {"x": x})], is_classifier, classes)
        if other:
            return "failed", f"{away} from the library, {other} from ONNX Runtime"
        verdict = "as converted", away
    return verdict


def plain(values):
    """An output of ONNX Runtime as an array: maps from labels to numbers come in a list."""
    if isinstance(values, list) and values and isinstance(values[0], dict):
        return np.array([[row[label] for label in sorted(row)] for row in values])
    return np.asarray(values)


def distance(found, wanted, is_classifier, classes):
    """What tells outputs from others; None where nothing does."""
    if not is_classifier:
        away = np.max(np.abs(found[0].reshape(-1) - wanted[0].reshape(-1))) / np.max(np.abs(wanted[0]))
        return None if away <= 1e-5 else f"{away:.1e} of the greatest"
    # Labels that are texts come as their positions.
    labels = wanted[0].reshape(-1)
    labels = np.searchsorted(classes, labels.astype(str)) if labels.dtype.kind in "UO" else labels
    off = found[0].reshape(-1) != labels
    if len(wanted) > 1 and len(found) > 1:
        if found[1].shape != wanted[1].shape:
            return f"probabilities of shape {found[1].shape} for {wanted[1].shape}"
        away = np.max(np.abs(found[1] - wanted[1]))
        if not away <= 1e-5 * max(1, np.max(np.abs(wanted[1]))):
            return f"probabilities {away:.1e}"
        # Of classes of equal probability either may be told.
        ranked = np.sort(wanted[1], axis=1)
        off &= ranked[:, -1] - ranked[:, -2] > 1e-5
    return f"{int(np.sum(off))} other labels of {len(labels)}" if np.any(off) else None
