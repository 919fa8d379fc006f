// Who waits and who is with a person: the list on the left, and what is searched in it.

import { api } from "./api.js";
import { byId, element, reconcile, setText } from "./dom.js";
import { plural, span } from "./words.js";

const LONG_WAIT_MS = 15 * 60_000;
const WINDOW_SOON_MS = 2 * 3_600_000;
const DIGITS_OF_A_PHONE = 8;

export class Queue {
  #items = [];
  #later = [];
  #cursor = null;
  #etag = null;
  #aheadMs;
  #opened = null;
  #open;
  #me;

  /** `open(id)` is called when a conversation is chosen; `aheadMs` is what the server's clock is before ours. */
  constructor({ me, aheadMs, open }) {
    this.#aheadMs = aheadMs;
    this.#me = me;
    this.#open = open;
    byId("queue-more").addEventListener("click", () => this.#more());
    byId("queue-list").addEventListener("keydown", (event) => this.#walk(event));
    byId("search").addEventListener("submit", (event) => this.#search(event));
    byId("search-text").addEventListener("input", () => this.render());
    byId("search-text").addEventListener("search", () => this.#forgetFound());
  }

  /** The first page anew; what was shown of later pages stays until it is asked for again. */
  async load() {
    const answer = await api.queue(null, this.#etag);
    if (!answer.unchanged) {
      this.#etag = answer.etag;
      this.#items = answer.items;
      if (!this.#later.length) this.#cursor = answer.next_cursor;
    }
    this.render();
  }

  /** The server's clock: waiting times are not those of a machine whose clock is wrong. */
  nowMs() {
    return Date.now() + this.#aheadMs;
  }

  mark(id) {
    this.#opened = id;
    this.render();
  }

  render() {
    const wanted = byId("search-text").value.trim().toLocaleLowerCase("pt-BR");
    const known = new Set(this.#items.map((item) => item.id));
    const all = [...this.#items, ...this.#later.filter((item) => !known.has(item.id))];
    const named = (item) => (item.name ?? "").toLocaleLowerCase("pt-BR").includes(wanted);
    const shown = wanted && !isPhone(wanted) ? all.filter(named) : all;
    reconcile(byId("queue-list"), shown.map((item) => this.#seen(item)), (seen) => seen.id, (seen) => this.#row(seen));
    const waiting = all.filter((item) => item.state === "waiting").length;
    const more = this.#cursor ? "+" : "";
    setText(byId("queue-count"), all.length ? `${plural(waiting, "espera", "esperam")}${more}` : "");
    document.title = waiting ? `(${waiting}${more}) Atendimento` : "Atendimento";
    byId("queue-more").hidden = !this.#cursor || Boolean(wanted);
    byId("queue-empty").hidden = shown.length > 0;
    setText(byId("queue-empty"), wanted ? "Ninguém na fila com esse nome. Por telefone, use Buscar." : "Ninguém espera por uma pessoa agora.");
  }

  /** What a row shows, as plain data: it is made anew only when something of it changed. */
  #seen(item) {
    const now = this.nowMs();
    const left = item.window_closes_ms ? item.window_closes_ms - now : null;
    return {
      id: item.id,
      name: item.name || "Cliente sem nome",
      reason: item.reason_text || item.reason || "",
      wait: span(now - item.since_ms),
      late: item.state === "waiting" && now - item.since_ms > LONG_WAIT_MS,
      owner: item.owner ? (item.owner.id === this.#me.id ? "com você" : `com ${item.owner.name}`) : "",
      unread: Boolean(item.unread),
      window: left === null || left > WINDOW_SOON_MS ? "" : left <= 0 ? "janela encerrada" : `janela termina em ${span(left)}`,
      opened: item.id === this.#opened,
    };
  }

  #row(seen) {
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          className: `row${seen.opened ? " opened" : ""}`,
          "aria-current": seen.opened ? "true" : null,
          on: { click: () => this.#open(seen.id) },
        },
        element("span", { className: "row-name" }, seen.name, seen.unread && element("span", { className: "dot", title: "mensagem nova", role: "img", "aria-label": "mensagem nova" })),
        element("span", { className: `row-wait${seen.late ? " late" : ""}`, title: "tempo de espera" }, seen.wait),
        element("span", { className: "row-reason" }, seen.reason),
        element("span", { className: `row-owner${seen.owner ? "" : " free"}` }, seen.owner || "sem atendente"),
        seen.window && element("span", { className: "row-window" }, seen.window),
      ),
    );
  }

  async #more() {
    const answer = await api.queue(this.#cursor).catch(() => null);
    if (!answer) return;
    this.#later = [...this.#later, ...answer.items];
    this.#cursor = answer.next_cursor;
    this.render();
  }

  #walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const rows = [...byId("queue-list").querySelectorAll("button.row")];
    rows[rows.indexOf(document.activeElement) + step]?.focus();
    event.preventDefault();
  }

  async #search(event) {
    event.preventDefault();
    const wanted = byId("search-text").value.trim();
    if (!wanted) return this.#forgetFound();
    if (!isPhone(wanted)) {
      byId("queue-list").querySelector("button.row")?.focus();
      return;
    }
    const found = byId("search-found");
    found.hidden = false;
    found.replaceChildren("Buscando…");
    try {
      const { items } = await api.search(wanted);
      found.replaceChildren(
        ...(items.length
          ? items.map((item) => this.#foundRow(item))
          : ["Nenhuma conversa com esse telefone. Confira o DDD; o nono dígito não faz diferença."]),
      );
      if (items.length === 1) this.#open(items[0].id);
    } catch (error) {
      found.replaceChildren(error.message);
    }
  }

  #foundRow(item) {
    const state = { waiting: "espera por uma pessoa", owned: "com uma pessoa" }[item.state] ?? "com o assistente";
    return element("button", { type: "button", className: "plain", on: { click: () => this.#open(item.id) } }, `${item.name || "Cliente sem nome"} · ${state}`);
  }

  #forgetFound() {
    byId("search-found").hidden = true;
    this.render();
  }
}

const isPhone = (text) => /^[\d\s()+.-]+$/.test(text) && text.replace(/\D/g, "").length >= DIGITS_OF_A_PHONE;
