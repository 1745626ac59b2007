import { TABLES_BY_LANE } from '#database/cluster/tables-by-lane.js';

const TABLE = TABLES_BY_LANE.join('|');
/** Words that may follow a table; any other word is its alias. */
const NO_ALIAS =
  '(?:where|on|using|join|inner|left|right|full|cross|natural|set|order|group|having|limit|offset|union|intersect|except|for|returning)\\b';
const ALIAS = `(?:\\s+(?:as\\s+)?(?!${NO_ALIAS})([a-z_]+))?`;

/** A table that a statement changes. */
const CHANGED = new RegExp(`\\b(?:update|delete\\s+from)\\s+(${TABLE})\\b${ALIAS}`, 'g');
/** A table that a statement reads. */
const READ = new RegExp(`(?<!\\bdelete\\s+)\\b(from|join|using)\\s+(${TABLE})\\b${ALIAS}`, 'g');

/**
 * The statement about these lanes alone: it reads and changes no other rows of the tables that lie
 * by lane. Each of them names the lanes by itself, which is how a cluster sees that all of it
 * concerns one server; a join says nothing about the tables that are joined.
 */
export function ofLanes(text: string, lanes: readonly number[]): string {
  const isOne = `lane = any ('{${lanes.join()}}'::int2[])`;
  return changesOf(text, isOne).replace(
    READ,
    (_found, word: string, table: string, alias = table) =>
      `${word} (select * from ${table} where ${isOne}) ${alias}`,
  );
}

/** No subquery can be changed, so the condition of the change names the lanes. */
function changesOf(text: string, isOne: string): string {
  let changed = text;
  // From the end on, so that the places before stay.
  for (const { 0: found, 1: table = '', 2: alias = table, index } of [
    ...text.matchAll(CHANGED),
  ].reverse()) {
    const from = index + found.length;
    const end = placeOf(/returning\b/y, changed, from);
    const where = placeOf(/where\b/y, changed, from);
    if (where >= end) throw new Error(`A change of ${table} has no condition.`);
    const condition = changed.slice(where + 'where'.length, end);
    changed = `${changed.slice(0, where)}where ${alias}.${isOne} and (${condition})${changed.slice(end)}`;
  }
  return changed;
}

/** Where a word stands in the part of a statement from a place on; without it, where that ends. */
function placeOf(word: RegExp, text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth < 0) return at;
    word.lastIndex = at;
    if (depth === 0 && /\W/.test(text[at - 1] ?? ' ') && word.test(text)) return at;
  }
  return text.length;
}
