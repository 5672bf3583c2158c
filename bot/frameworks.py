"""The 20 frameworks of the first study (its Table 2), known by name with their paradigm and domain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Framework:
    """A framework of the study: where it lives now, its paradigm (`ml`, `traditional`) and its domain.

    `repository_id` is GitHub's number of it, which no renaming changes, where that could be checked.
    """

    repository: str
    paradigm: str
    domain: str
    repository_id: int | None = None


FRAMEWORKS = (
    Framework("tensorflow/tensorflow", "ml", "Machine Learning", 45_717_250),
    Framework("torch/torch7", "ml", "Scientific Computing"),
    Framework("facebookarchive/caffe2", "ml", "Deep Learning"),
    Framework("pytorch/pytorch", "ml", "Machine Learning", 65_600_975),
    Framework("Theano/Theano", "ml", "Scientific Computing"),
    Framework("opencv/opencv", "ml", "Computer Vision"),
    Framework("keras-team/keras", "ml", "Deep Learning"),
    Framework("chainer/chainer", "ml", "Deep Learning"),
    Framework("microsoft/CNTK", "ml", "Deep Learning"),
    Framework("apache/mxnet", "ml", "Deep Learning"),
    Framework("facebook/react", "traditional", "UI", 10_270_250),
    Framework("etcd-io/etcd", "traditional", "Database", 11_225_014),
    Framework("flutter/flutter", "traditional", "Mobile", 31_792_824),
    Framework("rancher/rancher", "traditional", "Container"),
    Framework("ipython/ipython", "traditional", "Notebook"),
    Framework("babel/babel", "traditional", "Compiler"),
    Framework("aws/aws-cli", "traditional", "Cloud"),
    Framework("harness/drone", "traditional", "DevOps"),
    Framework("osquery/osquery", "traditional", "Operating System"),
    Framework("grafana/grafana", "traditional", "Log System"),
)

_OLDER_NAMES = {
    "apache/incubator-mxnet": "apache/mxnet",
    "caffe2/caffe2": "facebookarchive/caffe2",
    "coreos/etcd": "etcd-io/etcd",
    "drone/drone": "harness/drone",
    "facebook/osquery": "osquery/osquery",
    "fchollet/keras": "keras-team/keras",
}
_BY_NAME = {framework.repository.lower(): framework for framework in FRAMEWORKS}
_BY_ID = {framework.repository_id: framework for framework in FRAMEWORKS if framework.repository_id is not None}


def known_framework(full_name: str, repository_id: int | None = None) -> Framework | None:
    """Return the study's framework that a repository holds: by its id, else by a present or older name in any case."""
    if repository_id in _BY_ID:
        return _BY_ID[repository_id]
    name = full_name.lower()
    return _BY_NAME.get(_OLDER_NAMES.get(name, name).lower())


def present_name(full_name: str) -> str:
    """Return where a framework of the study lives now, by a present or older name in any case; else the name given."""
    known = known_framework(full_name)
    return known.repository if known is not None else full_name
