"""Validates a folder as a Process Run Crate, without a network.

usage: crate_check.py FOLDER   with roc-validator and rocrate, whose context of RO-Crate stands in for the one
on the web
"""

import importlib.resources
import json
import sys

import requests
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

context = json.loads(importlib.resources.files("rocrate").joinpath("data/ro-crate.jsonld").read_text())
terms = {"ParameterConnection": "https://w3id.org/ro/terms/workflow-run#ParameterConnection",
         "sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}


def get(self, url, **_):
    response = requests.Response()
    response.status_code, response.url = 200, url
    response.headers["Content-Type"] = "application/ld+json"
    body = context if url.startswith("https://w3id.org/ro/crate") else {"@context": terms}
    response._content = json.dumps(body).encode()
    return response


HttpRequester.get = get
result = services.validate(services.ValidationSettings(
    rocrate_uri=sys.argv[1], profile_identifier="process-run-crate",
    requirement_severity=models.Severity.REQUIRED, offline=False))
for issue in result.get_issues():
    print(f"{issue.severity.name}: {issue.check.identifier}: {issue.message}")
assert not result.has_issues(), "not a valid Process Run Crate"
print(f"{sys.argv[1]}: a valid Process Run Crate")
