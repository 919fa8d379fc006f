// Questions before what can't be taken back lightly.

import { byId, element } from "./dom.js";

/** Shows the fields and resolves to what was written in them by name, or to null where it was called off. */
function ask({ title, text, fields = [], confirm, danger = false, asks = true, ready = () => true }) {
  const dialog = byId("dialog");
  const button = element("button", { type: "submit", value: "yes", className: danger ? "danger" : "primary" }, confirm);
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", {}, title),
    text && element("p", {}, text),
    fields,
    element("div", { className: "dialog-actions" }, asks && element("button", { type: "submit", value: "no", className: "plain", formNoValidate: true }, "Cancelar"), button),
  );
  const judge = () => {
    button.disabled = !ready(form);
  };
  form.addEventListener("input", judge);
  judge();
  dialog.replaceChildren(form);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? Object.fromEntries(new FormData(form)) : null), { once: true });
  });
}

export const askHandBack = () =>
  ask({
    title: "Devolver ao assistente",
    text: "O assistente volta a responder a partir da próxima mensagem do cliente e não pergunta de novo o que já foi combinado.",
    fields: [
      element("label", { htmlFor: "agreed" }, "O que ficou combinado (opcional)"),
      element("textarea", { id: "agreed", name: "agreed", rows: 4, maxLength: 1000, placeholder: "Ex.: desconto não se aplica; o cliente vai mandar o endereço da coleta." }),
      element("p", { className: "quiet" }, "Só o assistente lê esta nota; o cliente não a recebe."),
    ],
    confirm: "Devolver",
  });

export const askClose = () =>
  ask({
    title: "Encerrar a conversa",
    text: "A conversa sai da fila. Se o cliente escrever de novo, o assistente começa um atendimento novo.",
    confirm: "Encerrar",
  });

const WORD = "APAGAR";

export const askErase = (name) =>
  ask({
    title: "Apagar os dados do cliente",
    text: `Tudo o que está guardado de ${name} será apagado: mensagens, ficha, registros de cada turno. Não há volta. O que está em outros sistemas (CRM, ERP, cópias de segurança) vem listado no recibo.`,
    fields: [element("label", { htmlFor: "sure" }, `Para confirmar, escreva ${WORD}`), element("input", { id: "sure", name: "sure", autocomplete: "off" })],
    confirm: "Apagar",
    danger: true,
    ready: (form) => form.elements.sure.value.trim().toUpperCase() === WORD,
  });

export function showReceipt({ erased = [], failed = [], elsewhere = [], done = false }) {
  const counts = new Map();
  for (const { kind, items } of erased) counts.set(kind, (counts.get(kind) ?? 0) + items);
  const list = (title, lines) =>
    lines.length ? [element("p", {}, title), element("ul", {}, lines.map((line) => element("li", {}, line)))] : [];
  return ask({
    title: "Recibo",
    text: done
      ? "Tudo o que estava guardado aqui foi apagado. Daqui a 15 minutos o sistema confere mais uma vez."
      : "O apagamento começou e segue sozinho até o fim: uma parte falhou e é tentada de novo a cada minuto.",
    fields: [
      ...list("Apagado:", [...counts].map(([kind, items]) => `${kind}: ${items}`)),
      ...list("Falta apagar:", failed.map((id) => `conversa ${id}`)),
      ...list("O que não se apaga daqui:", elsewhere),
    ],
    confirm: "Entendi",
    asks: false,
  });
}
