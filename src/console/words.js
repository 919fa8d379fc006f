// How times, sizes, money and states read in Portuguese.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat("pt-BR", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("pt-BR", { weekday: "long", day: "2-digit", month: "long" });
const dayAndYear = new Intl.DateTimeFormat("pt-BR", { day: "2-digit", month: "2-digit", year: "numeric" });
const money = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "USD", minimumFractionDigits: 4, maximumFractionDigits: 4 });
const whole = new Intl.NumberFormat("pt-BR");
const seconds = new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const timeOf = (ms) => clock.format(ms);
export const dollars = (usd) => money.format(usd);
export const count = (number) => whole.format(number);
export const inSeconds = (ms) => `${seconds.format(ms / 1000)} s`;

/** `agora`, `5 min`, `2 h 05`, `3 dias`. */
export function span(ms) {
  if (ms < MINUTE) return "agora";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) {
    const minutes = Math.floor((ms % HOUR) / MINUTE);
    return `${Math.floor(ms / HOUR)} h${minutes ? ` ${String(minutes).padStart(2, "0")}` : ""}`;
  }
  const days = Math.floor(ms / DAY);
  return days === 1 ? "1 dia" : `${days} dias`;
}

const startOfDay = (ms) => new Date(ms).setHours(0, 0, 0, 0);

/** `Hoje`, `Ontem`, `segunda-feira, 23 de novembro`, or the date of another year. */
export function dayOf(ms, nowMs) {
  const apart = Math.round((startOfDay(nowMs) - startOfDay(ms)) / DAY);
  if (apart === 0) return "Hoje";
  if (apart === 1) return "Ontem";
  return new Date(ms).getFullYear() === new Date(nowMs).getFullYear() ? day.format(ms) : dayAndYear.format(ms);
}

export const isSameDay = (one, other) => startOfDay(one) === startOfDay(other);

/** When, as short as it can be said: `14:02`, `ontem, 14:02`, `23/11/2026, 14:02`. */
export function moment(ms, nowMs) {
  const apart = Math.round((startOfDay(nowMs) - startOfDay(ms)) / DAY);
  if (apart === 0) return timeOf(ms);
  return `${apart === 1 ? "ontem" : apart === -1 ? "amanhã" : dayAndYear.format(ms)}, ${timeOf(ms)}`;
}

/** What became of a message of ours: the sign on the bubble and what it means. */
export const STATES = {
  pending: ["◷", "na fila de envio"],
  sending: ["◷", "enviando"],
  sent: ["✓", "enviada"],
  delivered: ["✓✓", "entregue"],
  read: ["✓✓", "lida"],
  failed: ["!", "não entregue"],
  unknown: ["?", "não sabemos se chegou; o envio será conferido"],
  cancelled: ["–", "não foi enviada"],
};

export const plural = (number, one, many) => `${whole.format(number)} ${number === 1 ? one : many}`;
