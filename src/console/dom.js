// Elements without markup: whatever a customer wrote becomes text, never HTML.

/** An element; `properties` are set on it, `data-*` and `aria-*` as attributes; children that are not nodes are text. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.includes("-") || key === "role") made.setAttribute(key, value);
    else if (key === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Sets text only where it differs: what is selected or read aloud stays. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Makes `parent` hold one element for each item, in order; elements whose item is the same as before are left alone,
 * so that focus, selection and an open detail stay.
 */
export function reconcile(parent, items, keyOf, make) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let next = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const stamp = JSON.stringify(item);
    let child = old.get(key);
    old.delete(key);
    if (child === undefined || child.dataset.stamp !== stamp) {
      const fresh = make(item, child);
      fresh.dataset.key = key;
      fresh.dataset.stamp = stamp;
      if (child !== undefined) {
        const focused = child.contains(document.activeElement);
        if (child === next) next = child.nextElementSibling;
        child.replaceWith(fresh);
        if (focused) (fresh.querySelector("button, a, [tabindex]") ?? fresh).focus({ preventScroll: true });
      }
      child = fresh;
    }
    if (child === next) next = child.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  for (const gone of old.values()) gone.remove();
}

const SHOWN_MS = 8000;

/** A line at the foot of the page; said aloud, gone after a while or by a click. */
export function notify(text, kind = "info") {
  const line = element("button", { type: "button", className: `toast ${kind}`, on: { click: () => line.remove() } }, text);
  byId("notices").append(line);
  setTimeout(() => line.remove(), SHOWN_MS);
}
