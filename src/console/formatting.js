// WhatsApp's own marks: *negrito*, _itálico_, ~riscado~ and ```código```, as elements.

import { element } from "./dom.js";

const MARKED = /```([^`]+)```|(?<![\p{L}\d])(?:\*(\S(?:[^*\n]*\S)?)\*|_(\S(?:[^_\n]*\S)?)_|~(\S(?:[^~\n]*\S)?)~)(?![\p{L}\d])/gu;
const ELEMENTS = ["code", "strong", "em", "s"];

/** The text's pieces: strings, and elements for what is marked. */
export function formatted(text) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(MARKED)) {
    const which = match.slice(1).findIndex((group) => group !== undefined);
    pieces.push(text.slice(at, match.index), element(ELEMENTS[which], {}, match[which + 1]));
    at = match.index + match[0].length;
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== "");
}
