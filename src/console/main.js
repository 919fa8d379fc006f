// The page's start: who is there, what is open, and the two polls.

import { api } from "./api.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { byId, notify, setText } from "./dom.js";
import { poll } from "./poll.js";
import { Queue } from "./queue.js";

const NEAR_THE_END_PX = 40;

let desk = null;

class Desk {
  #open = null;
  #openPoll = null;

  constructor(me, aheadMs) {
    this.me = me;
    this.composer = new Composer({ seen: () => this.#open?.newest ?? null, sent: (id, answer) => this.#sent(id, answer) });
    this.queue = new Queue({ me, aheadMs, open: (id) => this.open(id) });
    this.queuePoll = poll(() => this.queue.load().then(answered), failed);
    byId("back").addEventListener("click", () => this.leave());
    byId("card-back").addEventListener("click", () => show("conversation"));
    byId("show-card").addEventListener("click", () => show("card"));
    byId("older").addEventListener("click", () => this.#open?.loadOlder().catch((error) => notify(error.message, "error")));
    byId("newer").addEventListener("click", () => toTheEnd());
    this.#stayAtTheEnd(byId("log"));
    window.addEventListener("hashchange", () => this.#fromAddress());
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.composer.pending) event.preventDefault();
    });
    this.#fromAddress();
  }

  open(id) {
    if (this.#open?.id !== id) {
      this.#openPoll?.stop();
      byId("entries").replaceChildren();
      byId("newer").hidden = true;
      this.#open = new Conversation(id, {
        me: this.me,
        composer: this.composer,
        changed: () => this.queuePoll.now(),
        nowMs: () => this.queue.nowMs(),
      });
      this.composer.show(id);
      const opened = this.#open;
      this.#openPoll = poll(() => opened.load().then(answered), failed);
      history.replaceState(null, "", `#c/${encodeURIComponent(id)}`);
      this.queue.mark(id);
    }
    show("conversation");
  }

  /** Back to the queue, where the page is narrow; what is open stays open. */
  leave() {
    show("queue");
    byId("queue-list").querySelector(".opened")?.focus();
  }

  /** The newest message stays in sight while what is written below grows. */
  #stayAtTheEnd(log) {
    let atEnd = true;
    log.addEventListener("scroll", () => {
      atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_THE_END_PX;
      if (atEnd) byId("newer").hidden = true;
    });
    new ResizeObserver(() => atEnd && toTheEnd()).observe(log);
  }

  #sent(id, answer) {
    if (answer.newer) notify("Chegou mensagem do cliente enquanto você escrevia.");
    if (this.#open?.id === id) this.#openPoll.now().then(toTheEnd);
  }

  #fromAddress() {
    const [, id] = location.hash.match(/^#c\/(.+)$/) ?? [];
    if (id) this.open(decodeURIComponent(id));
  }

  #key(event) {
    if (byId("dialog").open) return;
    const writing = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !writing) {
      event.preventDefault();
      show("queue");
      byId("search-text").focus();
    } else if (event.key === "Escape" && document.activeElement !== byId("search-text")) {
      this.leave();
    }
  }
}

function show(view) {
  document.body.dataset.view = view;
}

function toTheEnd() {
  byId("log").scrollTop = byId("log").scrollHeight;
  byId("newer").hidden = true;
}

function answered() {
  setText(byId("connection"), "");
}

function failed(error, waitMs) {
  if (error.status === 401) return location.reload();
  if (!(error.status >= 0)) throw error; // a fault of this page's own: seen in the browser's console
  const what = error.status === 0 ? "Sem conexão" : error.message;
  setText(byId("connection"), `${what} — tentando de novo em ${Math.ceil(waitMs / 1000)} s`);
}

function start({ attendant, company, now_ms }) {
  byId("log-in").hidden = true;
  byId("desk").hidden = false;
  setText(byId("company"), company || "Atendimento");
  setText(byId("me"), attendant.name);
  desk = new Desk(attendant, now_ms - Date.now());
}

byId("log-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("token");
  try {
    const answer = await api.logIn(field.value.trim());
    field.value = "";
    start(answer);
  } catch (error) {
    setText(byId("log-in-error"), error.status === 401 ? "Esta chave não é válida. Confira se copiou inteira." : error.message);
    field.select();
  }
});

byId("log-out").addEventListener("click", async () => {
  if (desk?.composer.pending && !confirm("Há uma resposta escrita e não enviada. Sair mesmo assim?")) return;
  await api.logOut().catch(() => {});
  location.replace("/console");
});

api
  .whoAmI()
  .then((answer) => (answer.attendant ? start(answer) : askForToken("")))
  .catch((error) => askForToken(error.status === 401 ? "" : error.message));

function askForToken(problem) {
  byId("log-in").hidden = false;
  byId("token").focus();
  setText(byId("log-in-error"), problem);
}
