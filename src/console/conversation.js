// One conversation: its log, its card, and what the attendant may do with it.

import { api } from "./api.js";
import { lineElement, linesOf } from "./bubbles.js";
import { showCard } from "./card.js";
import { askClose, askErase, askHandBack, showReceipt } from "./dialogs.js";
import { byId, element, notify, reconcile, setText } from "./dom.js";
import { moment, span } from "./words.js";

const WINDOW_SOON_MS = 2 * 3_600_000;
const NEAR_THE_END_PX = 80;
const OLDER_PAGES_FOR_A_SOURCE = 40;
// Whose a conversation is that was answered from WhatsApp's own application: anybody may take it over.
const APP = "aplicativo";

export class Conversation {
  #entries = new Map();
  #turns = new Map();
  #olderTurns = null;
  #events = [];
  #head = null;
  #card = null;
  #revision = null;
  #cursor = null;
  #older = null;
  #etag = null;
  #me;
  #composer;
  #changed;
  #nowMs;

  /** `changed()` is called after each action: the queue shows it at once. */
  constructor(id, { me, composer, changed, nowMs }) {
    this.id = id;
    this.#me = me;
    this.#composer = composer;
    this.#changed = changed;
    this.#nowMs = nowMs;
  }

  /** What is new since the last time, or the newest page the first time. */
  async load() {
    const first = this.#head === null;
    const answer = await api.conversation(this.id, { after: this.#cursor, etag: this.#etag });
    if (answer.unchanged) return this.#renderTimes();
    const log = byId("log");
    const followed = first || log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_THE_END_PX;
    const known = this.#entries.size;
    this.#take(answer);
    if (first) this.#older = answer.older_cursor;
    this.render();
    if (followed) log.scrollTop = log.scrollHeight;
    else if (this.#entries.size > known) byId("newer").hidden = false;
  }

  #take(answer) {
    this.#etag = answer.etag;
    this.#cursor = answer.cursor ?? this.#cursor;
    this.#head = answer.item;
    this.#card = answer.card;
    this.#revision = answer.revision;
    this.#add(answer.entries);
    this.#events = answer.audit ?? [];
  }

  #add(entries) {
    for (const entry of entries) this.#entries.set(entry.key, entry);
  }

  async loadOlder() {
    if (!this.#older) return;
    const answer = await api.olderEntries(this.id, this.#older);
    const log = byId("log");
    const fromEnd = log.scrollHeight - log.scrollTop;
    this.#add(answer.entries.filter((entry) => !this.#entries.has(entry.key)));
    this.#older = answer.older_cursor;
    this.render();
    log.scrollTop = log.scrollHeight - fromEnd;
  }

  /** Pages of turns, newest first, until this one is among them. */
  async #loadTurn(id) {
    try {
      if (!this.#turns.has(id)) await this.#loadTurns(null);
      while (!this.#turns.has(id) && this.#olderTurns) await this.#loadTurns(this.#olderTurns);
      if (!this.#turns.has(id)) notify("O registro deste turno já não está guardado.");
      this.render();
    } catch (error) {
      notify(error.message, "error");
    }
  }

  async #loadTurns(before) {
    const answer = await api.turns(this.id, before);
    for (const turn of answer.turns) this.#turns.set(turn.id, turn);
    this.#olderTurns = answer.older_cursor;
  }

  /** Scrolls to an entry, loading older pages while it is not there. */
  async find(key) {
    for (let page = 0; page < OLDER_PAGES_FOR_A_SOURCE && !this.#entries.has(key) && this.#older; page += 1) await this.loadOlder();
    const line = byId(`entry-${key}`);
    if (!line) return notify("A mensagem de origem já não está guardada.");
    document.body.dataset.view = "conversation";
    line.scrollIntoView({ block: "center" });
    line.focus({ preventScroll: true });
    line.classList.add("found");
    setTimeout(() => line.classList.remove("found"), 2500);
  }

  get mine() {
    return this.#head?.state === "owned" && this.#head.owner?.id === this.#me.id;
  }

  /** The key of the newest entry in sight. */
  get newest() {
    return [...this.#entries.keys()].sort().at(-1) ?? null;
  }

  render() {
    const head = this.#head;
    byId("nothing-open").hidden = true;
    byId("open").hidden = false;
    setText(byId("customer"), head.name || "Cliente sem nome");
    const entries = [...this.#entries.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
    const lines = linesOf({ entries, turns: this.#turns, events: this.#events, customer: head }, this.#nowMs());
    reconcile(byId("entries"), lines, (line) => line.key, (line, old) => lineElement(line, old, (id) => this.#loadTurn(id)));
    byId("older").hidden = !this.#older;
    byId("composer").hidden = !this.mine;
    this.#renderActions();
    this.#renderTimes();
    showCard(this.#card, { find: (key) => this.find(key), extra: this.#rights() });
  }

  #renderTimes() {
    const { state, owner, since_ms, reason_text, window_closes_ms } = this.#head;
    const now = this.#nowMs();
    const who = state === "bot" ? "com o assistente" : this.mine ? "com você" : owner ? `com ${owner.name}` : `espera há ${span(now - since_ms)}`;
    setText(byId("situation"), [who, state === "bot" ? "" : reason_text].filter(Boolean).join(" · "));
    const line = byId("window");
    const left = window_closes_ms ? window_closes_ms - now : null;
    const closed = left !== null && left <= 0;
    line.hidden = left === null;
    line.className = `window${closed ? " closed" : left !== null && left < WINDOW_SOON_MS ? " soon" : ""}`;
    if (left !== null) {
      setText(
        line,
        closed
          ? "A janela de 24 h do WhatsApp terminou: só dá para responder depois que o cliente escrever de novo."
          : `Você pode responder até ${moment(window_closes_ms, now)} (faltam ${span(left)}).`,
      );
    }
    for (const control of byId("composer").querySelectorAll("textarea, input, button[type=submit]")) {
      if (closed) control.disabled = true;
      else if (control.tagName !== "BUTTON") control.disabled = false;
    }
  }

  #renderActions() {
    const { owner } = this.#head;
    const ofAnother = Boolean(owner) && !this.mine && owner.id !== APP;
    const shown = this.mine
      ? [
          { key: "hand-back", label: "Devolver ao assistente" },
          { key: "close", label: "Encerrar" },
        ]
      : ofAnother
        ? []
        : [{ key: "take", label: "Assumir", primary: true }];
    const act = { take: () => this.#act(() => api.take(this.id)), "hand-back": () => this.#handBack(), close: () => this.#close() };
    reconcile(byId("actions"), shown, (action) => action.key, (action) =>
      element("button", { type: "button", className: action.primary ? "primary" : "plain", on: { click: act[action.key] } }, action.label),
    );
  }

  async #act(call) {
    try {
      await call();
    } catch (error) {
      notify(error.message, "error");
    }
    this.#etag = null;
    await this.load().catch(() => {});
    this.#changed();
    if (this.mine) this.#composer.focus();
  }

  async #handBack() {
    const answer = await askHandBack();
    if (answer) await this.#act(() => api.handBack(this.id, answer.agreed.trim()));
  }

  async #close() {
    if (await askClose()) await this.#act(() => api.close(this.id));
  }

  #rights() {
    if (this.#me.role !== "responsavel") return [];
    return [
      { label: "Exportar os dados", act: () => window.open(api.exportUrl(this.id), "_blank", "noopener") },
      { label: "Apagar os dados…", danger: true, act: () => this.#erase() },
    ];
  }

  async #erase() {
    if (!(await askErase(this.#head.name || "este cliente"))) return;
    try {
      await showReceipt(await api.erase(this.id, this.#revision));
    } catch (error) {
      notify(error.message, "error");
    }
    this.#changed();
  }
}
