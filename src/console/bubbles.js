// A conversation's entries as they stand on WhatsApp: days, bubbles, what people did, what each turn of the bot did.

import { element } from "./dom.js";
import { formatted } from "./formatting.js";
import { turnDetails } from "./turns.js";
import { STATES, dayOf, isSameDay, timeOf } from "./words.js";

const SIDE = { customer: "theirs", bot: "ours bot", attendant: "ours person", app: "ours person", template: "ours bot" };
const KINDS = {
  image: "Imagem",
  audio: "Áudio",
  video: "Vídeo",
  document: "Documento",
  sticker: "Figurinha",
  location: "Localização",
  contacts: "Contato",
  reaction: "Reação",
};

/** Plain data for each line of the log, in order: `reconcile` makes anew only what differs. */
export function linesOf({ entries, turns, events, customer }, nowMs) {
  const last = new Map();
  for (const entry of entries) if (entry.turn && entry.sender === "bot") last.set(entry.turn, entry.key);
  const texts = new Map(entries.map((entry) => [entry.key, entry.text]));
  const stream = [...entries.map((entry) => ({ at: entry.at_ms, entry })), ...events.map((event) => ({ at: event.at_ms, event }))];
  stream.sort((one, other) => one.at - other.at);
  const lines = [];
  let before = null;
  for (const { at, entry, event } of stream) {
    if (before === null || !isSameDay(before, at)) lines.push({ kind: "day", key: `day ${dayOf(at, nowMs)}`, text: dayOf(at, nowMs) });
    before = at;
    if (event) {
      lines.push({ kind: "event", key: `event ${at} ${event.text}`, text: [event.author, event.text].filter(Boolean).join(" "), at });
      continue;
    }
    lines.push({ kind: "entry", key: entry.key, author: authorOf(entry, customer), quoted: texts.get(entry.quoted), entry });
    if (last.get(entry.turn) === entry.key) lines.push({ kind: "turn", key: `turn ${entry.turn}`, id: entry.turn, turn: turns.get(entry.turn) ?? null });
  }
  return lines;
}

/** The element of a line; `old` is the one it takes the place of, whose open details stay open; `load(id)` gets a turn. */
export function lineElement(line, old, load) {
  if (line.kind === "day") return element("li", { className: "day" }, element("span", {}, line.text));
  if (line.kind === "event") return element("li", { className: "event" }, element("span", {}, `${line.text} · ${timeOf(line.at)}`));
  if (line.kind === "turn") {
    const details = turnDetails(line, load);
    details.open = old?.querySelector("details")?.open ?? false;
    return element("li", { className: "turn" }, details);
  }
  return bubble(line);
}

function authorOf(entry, customer) {
  if (entry.sender === "customer") return customer.name || "Cliente";
  if (entry.sender === "attendant") return entry.author || "Atendente";
  if (entry.sender === "app") return "Aplicativo do WhatsApp";
  return entry.sender === "template" ? "Modelo aprovado" : "Assistente";
}

function bubble({ author, quoted, entry }) {
  const state = entry.state && STATES[entry.state];
  return element(
    "li",
    { className: `bubble ${SIDE[entry.sender] ?? "theirs"}`, id: `entry-${entry.key}`, tabIndex: -1 },
    element("span", { className: "author" }, author),
    quoted && element("blockquote", {}, quoted),
    entry.media && media(entry),
    entry.text && element("p", { className: "text", dir: "auto" }, formatted(entry.text)),
    !entry.text && !entry.media && element("p", { className: "text quiet" }, KINDS[entry.kind] ?? "Mensagem que o WhatsApp não mostra aqui"),
    element(
      "span",
      { className: "when" },
      timeOf(entry.at_ms),
      state && element("span", { className: `state ${entry.state}`, title: state[1], role: "img", "aria-label": state[1] }, ` ${state[0]}`),
    ),
    entry.state === "failed" && element("p", { className: "failed" }, `Não foi entregue${entry.failure ? `: ${entry.failure}` : "."}`),
  );
}

function media(entry) {
  const { url: address, mime_type: type, filename } = entry.media;
  const mime = type ?? "";
  const what = filename || KINDS[entry.kind] || "Arquivo";
  if (/^image\/(jpeg|png|webp|gif)$/.test(mime)) {
    const broken = () => image.replaceWith(link(address, `${what} (abrir)`));
    const image = element("img", { src: address, alt: what, loading: "lazy", className: "picture", on: { error: broken } });
    return element("a", { href: address, target: "_blank", rel: "noopener" }, image);
  }
  if (/^audio\//.test(mime)) {
    return element("div", {}, element("audio", { src: address, controls: true, preload: "none" }), link(address, "Baixar o áudio"));
  }
  return link(address, `${what}${mime ? ` (${mime.split(";")[0]})` : ""}`);
}

const link = (address, text) => element("a", { href: address, target: "_blank", rel: "noopener", className: "file" }, text);

