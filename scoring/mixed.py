"""Scores of several models on the same videos: model as fixed effect, video as random intercept, fitted by REML.

Given the ratio of the two variances everything else is least squares, so the fit is a search in one dimension.
Source: SCORING 18; Social Caption 3.2.4, App. G; Patterson & Thompson 1971, doi:10.1093/biomet/58.3.545.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bootstrap import Floats
from .significance import holm

WIDEST = 25.0
"""The search goes to a ratio of e^25 and, at its other end, tries 0 itself."""


class Scored(NamedTuple):
    video: str
    model: str
    score: float


class Contrast(NamedTuple):
    """`first` less `second`, with z = estimate / error and p from the normal distribution, two-sided."""

    first: str
    second: str
    estimate: float
    error: float
    p: float
    p_holm: float


class Fit(NamedTuple):
    models: tuple[str, ...]
    means: Floats
    """(models,) estimated mean score of each."""
    covariance: Floats
    """(models, models) of those estimates."""
    residual: float
    """Variance within videos."""
    between: float
    """Variance of the videos' intercepts; 0 where videos explain nothing."""


def contrasts(rows: Sequence[Scored]) -> tuple[list[Contrast], str]:
    """Every pair of models, corrected by Holm; none, with the reason, where the model cannot be fitted.

    On complete data the estimate is the mean paired difference, and its error √(2·MSE/n) with the mean square of the
    two-way table, unless videos explain less than nothing: then their variance is 0 and the error the pooled one. With
    gaps the error is that of generalised least squares at the estimated variances, as lme4 has it; statsmodels adds a
    share for their uncertainty, some percent of the error.
    """
    fitted, reason = fit(rows)
    if fitted is None:
        return [], reason
    pairs = [(a, b) for b in range(len(fitted.models)) for a in range(b + 1, len(fitted.models))]
    estimates = [float(fitted.means[a] - fitted.means[b]) for a, b in pairs]
    errors = [math.sqrt(_variance(fitted.covariance, a, b)) for a, b in pairs]
    p = [math.erfc(abs(estimate / error) / math.sqrt(2)) for estimate, error in zip(estimates, errors, strict=True)]
    names = [(fitted.models[a], fitted.models[b]) for a, b in pairs]
    columns = zip(names, estimates, errors, p, holm(p), strict=True)
    return [Contrast(*name, *figures) for name, *figures in columns], ""


def fit(rows: Sequence[Scored]) -> tuple[Fit | None, str]:
    """REML estimates, or None with the reason: fewer than two models or videos, or no variation left."""
    from scipy.optimize import minimize_scalar

    ordered = sorted(rows)
    models, place = np.unique([row.model for row in ordered], return_inverse=True)
    videos, group = np.unique([row.video for row in ordered], return_inverse=True)
    if len(models) < 2 or len(videos) < 2 or len(ordered) <= len(models) + 1:
        return None, f"{len(models)} models on {len(videos)} videos: too few to compare"
    data = _Data(np.eye(len(models))[place], np.array([row.score for row in ordered]), group, np.bincount(group))
    if data.reml(0.0).residual < 1e-20:
        return None, "scores do not vary within models"
    found = minimize_scalar(lambda log: data.reml(math.exp(log)).deviance, bounds=(-WIDEST, WIDEST), method="bounded",
                            options={"xatol": 1e-10})  # fmt: skip
    best = min(data.reml(0.0), data.reml(math.exp(found.x)), key=lambda tried: tried.deviance)
    if best.residual < 1e-9 * float(np.var(data.scores)):
        return None, "models differ by the same on every video: no error to test against"
    names = tuple(str(model) for model in models)
    return Fit(names, best.means, best.inverse * best.residual, best.residual, best.ratio * best.residual), ""


class _Tried(NamedTuple):
    ratio: float
    deviance: float
    """−2 log restricted likelihood, up to a constant."""
    residual: float
    means: Floats
    inverse: Floats


class _Data(NamedTuple):
    design: Floats
    """(rows, models) indicators."""
    scores: Floats
    group: NDArray[np.int64]
    sizes: NDArray[np.int64]
    """Rows a video."""

    def reml(self, ratio: float) -> _Tried:
        """Least squares given `ratio`, the videos' variance over the residual's; V⁻¹ by Sherman–Morrison a video."""
        shrink: Floats = np.asarray(ratio / (1 + ratio * self.sizes), dtype=np.float64)
        weighted = self._times_inverse(np.column_stack([self.design, self.scores]), shrink)
        information = self.design.T @ weighted[:, :-1]
        inverse = np.asarray(np.linalg.inv(information), dtype=np.float64)
        means: Floats = inverse @ (self.design.T @ weighted[:, -1])
        free = len(self.scores) - len(means)
        residual = float((self.scores - self.design @ means) @ (weighted[:, -1] - weighted[:, :-1] @ means)) / free
        log_v, log_information = np.log1p(ratio * self.sizes).sum(), np.linalg.slogdet(information)[1]
        deviance = free * math.log(max(residual, 1e-300)) + float(log_v) + float(log_information)
        return _Tried(ratio, deviance, residual, means, inverse)

    def _times_inverse(self, table: Floats, shrink: Floats) -> Floats:
        sums = np.zeros((len(self.sizes), table.shape[1]))
        np.add.at(sums, self.group, table)
        return np.asarray(table - (shrink[:, None] * sums)[self.group])


def _variance(covariance: Floats, a: int, b: int) -> float:
    return float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
