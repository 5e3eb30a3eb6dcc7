"""`checkrail demo`: sample documents into JSON with a real model, each result beside its source.

Everything shown as output was written by the model through the mask in this run. The figures are measured; so are
the faults, which a model of 135 million parameters makes: the mask promises the shape, not the truth.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from ..boundary.validate import check_output
from .exit_status import ExitStatus
from .talk import Talk, talking

if TYPE_CHECKING:
    from ..decoding.sampling import Sampling
    from ..generation.extract import Row
    from ..generation.result import Result
    from ..models.protocol import Model
    from .demo_scenes import Scene
    from .demo_view import View

__all__ = ["command"]

_MAX_TOKENS = 200
_CONTRAST_TOKENS = 96


@click.command("demo")
@click.option("--seed", type=int, default=1, show_default=True, help="Replays the choices of a temperature above 0.")
@click.option("--temperature", type=float, default=0.0, show_default=True, help="0 takes the likeliest token.")
@click.option("--plain", is_flag=True, help="Plain lines: no color, no columns, no redrawing.")
@click.option("-m", "--model", "model_name", default="default", show_default=True, help="Or a GGUF file.")
@click.option("--where", is_flag=True, help="Print the folder of the sample documents and stop.")
@talking
def command(talk: Talk, seed: int, temperature: float, plain: bool, model_name: str, where: bool) -> int:
    """Read sample documents into JSON with the embedded model.

    Invoices, support mails and event notices in English, German, French and Spanish, with a schema and examples for
    each kind. Then one question without and with the mask. Needs `checkrail models install` once.
    """
    from .demo_scenes import examples_folder, read_scenes

    if where:
        talk.data(str(examples_folder()))
        return ExitStatus.DONE
    from .. import models
    from ..decoding.sampling import Sampling
    from .demo_view import view_for

    sampling = Sampling(temperature=temperature)
    view = view_for(talk, plain=plain or talk.as_json)
    with models.load_model(model_name) as model, closing(view):
        view.begin(model)
        begin = time.perf_counter()
        rows: list[Row[Any]] = []
        for scene in read_scenes():
            rows += _show_scene(talk, view, model, scene, sampling, seed)
        _show_contrast(talk, view, model, sampling, seed)
        view.end(rows, time.perf_counter() - begin)
    return ExitStatus.DONE


def _show_scene(talk: Talk, view: View, model: Model, scene: Scene, sampling: Sampling, seed: int) -> list[Row[Any]]:
    from ..generation.extract import extract
    from ..generation.output import Output

    begin = time.perf_counter()
    rows = extract(
        scene.documents,
        Output.of(scene.schema),
        model=model,
        examples=scene.examples,
        sampling=sampling,
        max_tokens=_MAX_TOKENS,
        seed=seed,
        on_event=lambda document, event: view.event(document.text, event),
    )
    view.scene(scene, time.perf_counter() - begin)
    shown = []
    for document, row in zip(scene.documents, rows, strict=True):
        shown.append(row)
        if talk.as_json:
            talk.json({"scene": scene.name, "document": document.text, **row.to_json()})
        else:
            view.row(document.text, row)
    return shown


def _show_contrast(talk: Talk, view: View, model: Model, sampling: Sampling, seed: int) -> None:
    from ..generation.generate import generate
    from .demo_scenes import CONTRAST_PROMPT, CONTRAST_SCHEMA, contrast_document

    prompt = CONTRAST_PROMPT + contrast_document()
    options: dict[str, Any] = {"sampling": sampling, "seed": seed, "max_tokens": _CONTRAST_TOKENS}
    view.contrast(prompt)
    free: Result[str] = generate(model, prompt, None, **options)
    report = check_output(free.text, CONTRAST_SCHEMA)
    masked: Result[Any] = generate(model, prompt, CONTRAST_SCHEMA, **options)
    if talk.as_json:
        faults = [fault.to_json() for fault in report.faults]
        talk.json({"scene": "contrast", "mask": False, "prompt": prompt, **free.to_json(), "faults": faults})
        talk.json({"scene": "contrast", "mask": True, "prompt": prompt, **masked.to_json()})
    else:
        view.answers(free, report, masked)
