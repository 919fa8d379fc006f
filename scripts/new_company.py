"""Start a company: thirteen questions, and a folder that passes `make check` (see --help)."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import checkout_path  # noqa: F401
from company_check.company import check_company
from company_template.answers import QUESTIONS, AnswerError, Answers, answers_from, answers_in_file
from company_template.write_company import write_company

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> int:
    """0 with a company that passes the check; 1 with what is wrong with the answers; 130 when it was left."""
    parser = argparse.ArgumentParser(
        prog="scripts/new_company.py",
        description="Asks thirteen questions and writes prompts/companies/<id>: catalogue, texts, packages, examples.",
        epilog="Examples: make new-company · make new-company ANSWERS=answers.toml",
    )
    parser.add_argument("--from", dest="file", type=Path, metavar="answers.toml", help="take the answers from a file")
    parser.add_argument("--show-questions", action="store_true", help="print an answers.toml to fill in")
    parser.add_argument("--prompts", type=Path, default=ROOT / "prompts", help="another folder of prompts")
    options = parser.parse_args(arguments)
    if options.show_questions:
        print(_blank())
        return 0
    try:
        answers = answers_in_file(options.file) if options.file else _ask()
        return _write(answers, options.prompts.resolve())
    except AnswerError as error:
        print(f"As respostas não servem:\n{error}", file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print("\nnada foi escrito", file=sys.stderr)
        return 130


def _ask() -> Answers:
    """Question after question; one that cannot be used is asked again."""
    print("Treze perguntas. Enter aceita a sugestão entre colchetes; Ctrl-C sai sem escrever nada.\n")
    given: dict[str, str] = {}
    for question in QUESTIONS:
        while True:
            suggestion = "" if question.default is None else f" [{question.default or 'nada'}]"
            print(f"{question.asks}\n  por exemplo: {question.example}")
            answer = input(f"▸{suggestion} ").strip() or question.default or ""
            try:
                question.read(answer)
            except AnswerError as error:
                print(f"  {error}\n")
                continue
            given[question.key] = answer
            print()
            break
    return answers_from(given)


def _write(answers: Answers, prompts_dir: Path) -> int:
    folder = prompts_dir / "companies" / answers.id
    try:
        files = write_company(answers, folder)
    except FileExistsError:
        print(f"{folder} já existe: escolha outro nome, ou edite os arquivos de lá", file=sys.stderr)
        return 1
    found = list(check_company(prompts_dir, answers.id, ROOT))
    mistakes = [each for each in found if not each.is_warning]
    for each in found:
        print(each, file=sys.stderr)
    if mistakes:
        shutil.rmtree(folder)
        print("Com essas respostas a empresa não passaria no make check; nada ficou escrito.", file=sys.stderr)
        return 1
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    print(f"Pronto: {len(files)} arquivos em {shown}, e make check não vê erro neles.\n")
    print(
        f"Experimente:\n  make stack COMPANY={answers.id}\n  make chat\n\n"
        f"Depois edite, nesta ordem:\n"
        f"  {shown}/catalog.toml      as perguntas (question) com as suas palavras, sinônimos, o que não inclui\n"
        f"  {shown}/packages/         o que a assistente pode contar: endereço, serviços, preços\n"
        f"  {shown}/textos.toml       o que o cliente lê quando uma pessoa assume\n"
        f"  {shown}/exemplos.md       conversas de verdade: é com elas que o modelo aprende o seu jeito\n"
        f"e rode make check a cada mudança."
    )
    return 0


def _blank() -> str:
    lines = ["# Respostas para scripts/new_company.py --from answers.toml"]
    for question in QUESTIONS:
        lines += ["", f"# {question.asks}", f'{question.key} = "{question.default or question.example}"']
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
