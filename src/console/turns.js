// What the bot did in one turn, opened up.

import { element } from "./dom.js";
import { count, dollars, inSeconds, plural } from "./words.js";

/** `<details>` of a turn: what it did once it is known; opened before that, `load(id)` asks for it. */
export function turnDetails({ id, turn }, load) {
  const details = element("details", {}, element("summary", {}, turn ? facts(turn) : "O que o assistente fez"));
  if (turn) details.append(...contents(turn));
  else {
    details.append(element("p", { className: "quiet" }, "Buscando…"));
    details.addEventListener("toggle", () => details.open && load(id));
  }
  return details;
}

function facts(turn) {
  return [
    turn.agent && `Agente ${turn.agent}`,
    turn.codes.length ? `${turn.codes.length === 1 ? "código" : "códigos"} ${turn.codes.join(", ")}` : null,
    plural(turn.calls.length, "chamada", "chamadas"),
    turn.usd === null ? null : dollars(turn.usd),
    turn.latency_ms ? inSeconds(turn.latency_ms) : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

function contents(turn) {
  return [
    turn.handoff && element("p", {}, `Chamou uma pessoa: ${turn.handoff}`),
    turn.mended.length ? element("ul", { className: "mended" }, turn.mended.map((each) => element("li", {}, each))) : null,
    turn.calls.length ? callsTable(turn.calls) : element("p", { className: "quiet" }, "Respondido sem consultar o modelo."),
  ].filter(Boolean);
}

const HEAD = ["Modelo", "Para quê", "Entrada", "do cache", "Saída", "Custo", "Tempo", "Resultado"];
const known = (value, write) => (value === null || value === undefined ? "–" : write(value));

function callsTable(calls) {
  const row = (call) => [
    call.model,
    call.purpose,
    known(call.tokens_input, count),
    known(call.tokens_cached, count),
    known(call.tokens_output, count),
    known(call.usd, dollars),
    known(call.latency_ms, inSeconds),
    call.outcome,
  ];
  return element(
    "div",
    { className: "scroll" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, HEAD.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, calls.map((call) => element("tr", {}, row(call).map((text) => element("td", {}, text ?? "–"))))),
    ),
  );
}
