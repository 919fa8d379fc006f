// What the attendant writes: a text or a file, sent once however often it is tried.

import { api } from "./api.js";
import { byId, element, setText } from "./dom.js";

const MOST_BYTES = 4_000_000;
const LONGEST_TEXT = 4_096;
const LONGEST_CAPTION = 1_024;
const TYPES = ["application/pdf", "image/jpeg", "image/png"];

export class Composer {
  #drafts = new Map();
  #id = null;
  #sent;
  #seen;
  #busy = false;

  /** `seen()` is the key of the newest entry in sight; `sent(id, answer)` is called after each reply that was taken. */
  constructor({ seen, sent }) {
    this.#seen = seen;
    this.#sent = sent;
    const text = byId("reply");
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#send();
    });
    text.addEventListener("input", () => {
      this.#draft().text = text.value;
      this.#draft().clientId = null;
      this.#fit();
    });
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    byId("file").addEventListener("change", () => this.#attach(byId("file").files[0]));
    text.addEventListener("paste", (event) => {
      const [file] = event.clipboardData?.files ?? [];
      if (file) this.#attach(file);
    });
  }

  /** The draft of that conversation; what was written for another stays with it. */
  show(id) {
    this.#id = id;
    byId("reply").value = this.#draft().text;
    this.#render();
    this.#fit();
  }

  focus() {
    byId("reply").focus();
  }

  /** Whether something was written and not sent. */
  get pending() {
    return [...this.#drafts.values()].some((draft) => draft.text.trim() || draft.file);
  }

  #draft() {
    if (!this.#drafts.has(this.#id)) this.#drafts.set(this.#id, { text: "", file: null, clientId: null, note: "" });
    return this.#drafts.get(this.#id);
  }

  async #send() {
    const id = this.#id;
    const draft = this.#draft();
    const text = draft.text.trim();
    if (this.#busy || (!text && !draft.file)) return;
    const longest = draft.file ? LONGEST_CAPTION : LONGEST_TEXT;
    if (text.length > longest) return this.#say(`O WhatsApp aceita até ${longest} caracteres${draft.file ? " com um arquivo" : ""}; este texto tem ${text.length}.`);
    // the same id until it is known to be taken: a retried call is no second message
    draft.clientId ??= crypto.randomUUID();
    this.#busy = true;
    this.#render();
    try {
      const answer = await api.reply(id, {
        client_id: draft.clientId,
        seen: this.#seen(),
        ...(text && { text }),
        ...(draft.file && { file: draft.file }),
      });
      this.#drafts.delete(id);
      if (id === this.#id) this.show(id);
      this.#sent(id, answer);
    } catch (error) {
      draft.note = error.status === 0 ? `${error.message} Envie de novo: a mensagem não sai em dobro.` : error.message;
    } finally {
      this.#busy = false;
      this.#render();
    }
  }

  async #attach(file) {
    byId("file").value = "";
    if (!file) return;
    if (!TYPES.includes(file.type)) return this.#say("Só PDF e imagens (JPEG ou PNG) podem ser enviados daqui.");
    if (file.size > MOST_BYTES) return this.#say("O arquivo passa de 4 MB. Reduza-o ou envie um link.");
    const draft = this.#draft();
    draft.file = { name: file.name, mime_type: file.type, content: await base64Of(file) };
    draft.clientId = null;
    draft.note = "";
    this.#render();
    this.focus();
  }

  #say(note) {
    this.#draft().note = note;
    this.#render();
  }

  #render() {
    const draft = this.#draft();
    setText(byId("composer-note"), draft.note);
    const attached = byId("attached");
    attached.hidden = !draft.file;
    attached.replaceChildren(
      ...(draft.file ? [`Anexo: ${draft.file.name} `, element("button", { type: "button", className: "plain", on: { click: () => this.#detach() } }, "Remover")] : []),
    );
    byId("composer").classList.toggle("busy", this.#busy);
    byId("composer").querySelector("button[type=submit]").disabled = this.#busy;
  }

  #detach() {
    this.#draft().file = null;
    this.#draft().clientId = null;
    this.#render();
  }

  #fit() {
    const text = byId("reply");
    text.rows = Math.min(8, Math.max(1, text.value.split("\n").length, Math.ceil(text.value.length / 60)));
  }
}

async function base64Of(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(binary);
}
