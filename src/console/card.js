// What was collected, in people's words; each value leads to the message it came from.

import { byId, element, reconcile } from "./dom.js";

const STATE_WORDS = { declined: "recusou informar", missing: "ainda não informado", team: "a equipe indica" };

/** `find(key)` scrolls to an entry; `extra` are the buttons for whoever may export and erase. */
export function showCard(card, { find, extra }) {
  const sections = [];
  if (!card) sections.push({ kind: "empty", key: "empty" });
  if (card) sections.push({ kind: "summary", key: "summary", card: { ...card, lines: null } });
  if (card?.unread_texts?.length) sections.push({ kind: "unread", key: "unread", texts: card.unread_texts });
  if (card?.lines?.length) sections.push({ kind: "lines", key: "lines", lines: card.lines });
  if (extra.length) sections.push({ kind: "extra", key: "extra", labels: extra.map((each) => each.label) });
  reconcile(byId("card"), sections, (each) => each.key, (each) => section(each, find, extra));
}

function section(each, find, extra) {
  if (each.kind === "empty") return element("p", { className: "empty" }, "A ficha aparece quando o assistente chama uma pessoa.");
  if (each.kind === "summary") return summary(each.card);
  if (each.kind === "unread") {
    return element("section", { className: "unread" }, element("h3", {}, "O cliente não recebeu"), each.texts.map((text) => element("blockquote", { dir: "auto" }, text)));
  }
  if (each.kind === "extra") {
    return element(
      "section",
      { className: "rights" },
      element("h3", {}, "Direitos do cliente (LGPD)"),
      extra.map(({ label, danger, act }) => element("button", { type: "button", className: danger ? "danger" : "plain", on: { click: act } }, label)),
    );
  }
  return element("section", {}, element("h3", {}, "Dados"), element("dl", {}, each.lines.flatMap((line) => field(line, find))));
}

function summary({ reason_text, service, segment, summary: text, next_action, points }) {
  return element(
    "section",
    { className: "summary" },
    element("h3", {}, "Resumo"),
    element("p", { className: "quiet" }, [service, segment, reason_text].filter(Boolean).join(" · ")),
    element("p", {}, text || "O resumo está sendo escrito…"),
    points?.length ? element("ul", { className: "points" }, points.map((point) => element("li", {}, point))) : null,
    next_action && element("p", { className: "next" }, element("strong", {}, "Próximo passo: "), next_action),
  );
}

function field(line, find) {
  const value = line.state && line.state !== "given" ? STATE_WORDS[line.state] ?? line.value : line.value;
  return [
    element("dt", {}, line.label),
    element(
      "dd",
      { className: line.state && line.state !== "given" ? "quiet" : "" },
      element("span", { dir: "auto" }, value),
      line.entry && element("button", { type: "button", className: "plain source", title: `Ver a mensagem em que o cliente informou: ${line.label}`, on: { click: () => find(line.entry) } }, "ver mensagem"),
    ),
  ];
}
