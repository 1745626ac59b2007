import type { CallMade } from './calls.js';

/** Texts without a quotation mark, a backslash, a control character or a surrogate. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Names that nearly all calls share, as JSON. */
const NAMES_MAX = 1_000;

const names = new Map<string, string>();

/**
 * The JSON text of a call, byte for byte as `JSON.stringify` writes it: stored and hashed. It takes
 * a third of the time, and this is done for every call. `data` comes from `callAt`, which names
 * its members in this order, or settles a hold.
 */
export function callText(data: CallMade): string {
  const { asked, window, tags, request, units, hold } = data;
  if (hold !== undefined) return JSON.stringify(data);
  const askedText = asked === undefined ? '' : `,"asked":${quoted(asked)}`;
  const windowText = window === undefined ? '' : `,"window":${nameText(window)}`;
  const tagsText = tags === undefined ? '' : `,"tags":${JSON.stringify(tags)}`;
  const requestText = request === undefined ? '' : `,"request":${quoted(request)}`;
  const unitsText = units === undefined ? '' : `,"units":${JSON.stringify(units)}`;
  return (
    `{"key":${quoted(data.key)}${askedText}${windowText},"release":${nameText(data.release)}` +
    `,"api_key":${data.api_key},"rows":${data.rows},"kind":${nameText(data.kind)}` +
    `,"cost":[${data.cost[0]},${data.cost[1]}],"card":${data.card},"rule":${nameText(data.rule)}` +
    `,"draws":[${drawsText(data.draws)}],"balance":${data.balance}${tagsText}${requestText}${unitsText}}`
  );
}

function drawsText(draws: CallMade['draws']): string {
  const [first] = draws;
  if (first === undefined) return '';
  if (draws.length === 1) return `[${first[0]},${first[1]}]`;
  return draws.map(([grant, credits]) => `[${grant},${credits}]`).join(',');
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function nameText(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (names.size < NAMES_MAX) names.set(name, text);
  return text;
}
