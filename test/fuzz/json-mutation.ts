import type { Prng } from '../simulator/prng.js';
import { hostileJson, hostileText } from './hostile-values.js';

const PLACE = /"(?:[^"\\]|\\.)*"(?=\s*[,}\]])|-?\d[\d.eE+-]*|true|false|null/g;
const MEMBER = /"(?:[^"\\]|\\.)*":/g;

type Mutation = (text: string, prng: Prng) => string;

/** One of the spans that a pattern finds; undefined when it finds none. */
function place(
  text: string,
  pattern: RegExp,
  prng: Prng,
): [start: number, end: number] | undefined {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return undefined;
  const one = prng.pick(found);
  return [one.index, one.index + one[0].length];
}

function replaceValue(text: string, prng: Prng): string {
  const span = place(text, PLACE, prng);
  if (span === undefined) return hostileJson(prng);
  return text.slice(0, span[0]) + hostileJson(prng) + text.slice(span[1]);
}

function replaceName(text: string, prng: Prng): string {
  const span = place(text, MEMBER, prng);
  if (span === undefined) return text;
  return `${text.slice(0, span[0])}${JSON.stringify(hostileText(prng))}:${text.slice(span[1])}`;
}

function addMember(text: string, prng: Prng): string {
  const name = JSON.stringify(hostileText(prng));
  return text.replace('{', `{${name}:${hostileJson(prng)}${text.includes(':') ? ',' : ''}`);
}

function repeatMember(text: string, prng: Prng): string {
  const span = place(text, MEMBER, prng);
  if (span === undefined) return text;
  return `${text.slice(0, span[0])}${text.slice(...span)}${hostileJson(prng)},${text.slice(span[0])}`;
}

function cut(text: string, prng: Prng): string {
  return text.slice(0, prng.below(text.length + 1));
}

function insertCharacter(text: string, prng: Prng): string {
  const at = prng.below(text.length + 1);
  const character = prng.pick(['"', '{', '}', '[', ']', ',', ':', '\\', '\u0000', ' ', '\n', '/']);
  return text.slice(0, at) + character + text.slice(at);
}

function wrap(text: string, prng: Prng): string {
  const [before = '', after = ''] = prng.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['\ufeff', ''],
    ['', ' x'],
    ['', text],
    ['\n\t ', '\r\n'],
    ['//x\n', ''],
    ['[' + 'null,'.repeat(2000), ']'],
    [' '.repeat(100_000), ''],
  ]);
  return before + text + after;
}

const MUTATIONS: readonly Mutation[] = [
  replaceValue,
  replaceValue,
  replaceValue,
  replaceValue,
  replaceName,
  addMember,
  repeatMember,
  cut,
  insertCharacter,
  wrap,
  (_text, prng) => hostileJson(prng),
];

/** A JSON text that is nearly right, or not at all. */
export function mutatedJson(text: string, prng: Prng): string {
  let mutated = prng.pick(MUTATIONS)(text, prng);
  while (prng.chance(0.25)) mutated = prng.pick(MUTATIONS)(mutated, prng);
  return mutated;
}
