// Every call to the server, and how it can fail.

export class ApiError extends Error {
  /** `code` names the reason, `message` says it in the attendant's language; `status` 0: nothing answered. */
  constructor(status, code, message, details = {}) {
    super(message);
    Object.assign(this, { status, code, details });
  }
}

const WITHOUT_ANSWER = "Sem resposta do servidor. Confira a conexão; nada do que você escreveu se perdeu.";
const TIMEOUT_MS = 25_000;

async function call(method, path, { body, etag, ifMatch } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (etag) headers["If-None-Match"] = etag;
  if (ifMatch) headers["If-Match"] = ifMatch;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ApiError(0, "unreachable", WITHOUT_ANSWER);
  }
  if (response.status === 304) return { unchanged: true, etag };
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    const message = answer.message ?? `O servidor respondeu com um erro (${response.status}). Tente de novo em instantes.`;
    throw new ApiError(response.status, answer.error ?? "error", message, answer);
  }
  return { ...answer, etag: response.headers.get("ETag") };
}

function query(values) {
  const given = Object.entries(values).filter(([, value]) => value);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

const of = (id) => `/conversations/${encodeURIComponent(id)}`;

export const api = {
  logIn: (token) => call("POST", "/session", { body: { token } }),
  whoAmI: () => call("GET", "/session"),
  logOut: () => call("DELETE", "/session"),
  queue: (cursor, etag) => call("GET", `/queue${query({ cursor })}`, { etag }),
  search: (phone) => call("POST", "/search", { body: { phone } }),
  conversation: (id, { after, etag } = {}) => call("GET", `${of(id)}${query({ after })}`, { etag }),
  olderEntries: (id, before) => call("GET", `${of(id)}/entries${query({ before })}`),
  turns: (id, before) => call("GET", `${of(id)}/turns${query({ before })}`),
  take: (id) => call("POST", `${of(id)}/take`, { body: {} }),
  reply: (id, reply) => call("POST", `${of(id)}/reply`, { body: reply }),
  handBack: (id, agreed) => call("POST", `${of(id)}/hand-back`, { body: agreed ? { agreed } : {} }),
  close: (id) => call("POST", `${of(id)}/close`, { body: {} }),
  exportUrl: (id) => `${of(id)}/export`,
  erase: (id, revision) => call("DELETE", of(id), { ifMatch: revision }),
};
