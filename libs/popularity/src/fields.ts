import { LEVELS } from '#rating/resource.js';
import { isVisible } from '#rating/visible-text.js';
import { shown } from './fault.js';
import { REGIONS } from './regions.js';
import { VOLUME_DECIMALS } from './series.js';

/** Takes note of what is wrong with one field of the record at hand. */
export type Complain = (column: string, reason: string) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SLUG = /^[a-z0-9-]{1,200}$/;
const GROUP = /^[a-z0-9-]{1,64}$/;
const CONTROL = /\p{Cc}/u;
const LABEL_CHARACTERS_MAX = 500;
const LIFE_CYCLE_CHARACTERS_MAX = 64;

/** A UUID in lower case; null, and a fault, for anything else. */
export function uuidField(column: string, text: string, complain: Complain): string | null {
  const uuid = text.toLowerCase();
  if (UUID.test(uuid)) return uuid;
  complain(column, `${shown(text)} is not a UUID like 6f9619ff-8b86-4d01-b42d-00c04fc964ff`);
  return null;
}

/** 1 for `cat1` to 5 for `cat5`. */
export function levelField(text: string, complain: Complain): number | null {
  const index = LEVELS.findIndex((level) => level === text);
  if (index !== -1) return index + 1;
  complain('level', `${shown(text)} is not one of ${LEVELS.join(', ')}`);
  return null;
}

/** A text that people read: not blank, on one line. */
export function labelField(text: string, complain: Complain): void {
  if (text.trim() === '') complain('label', 'is empty');
  else if (!isVisible(text)) complain('label', 'shows no character');
  else checkText('label', text, LABEL_CHARACTERS_MAX, complain);
}

/** The data set's own word for a life cycle, null when the field is empty. */
export function lifeCycleField(text: string, complain: Complain): string | null {
  checkText('life_cycle', text, LIFE_CYCLE_CHARACTERS_MAX, complain);
  return text === '' ? null : text;
}

function checkText(column: string, text: string, max: number, complain: Complain): void {
  if (text.length > max) complain(column, `${shown(text)} is longer than ${max} characters`);
  if (CONTROL.test(text)) complain(column, `${shown(text)} holds a control character`);
}

export function slugField(text: string, complain: Complain): void {
  if (SLUG.test(text)) return;
  complain('slug', `${shown(text)} is not 1 to 200 of a-z, 0-9 and -`);
}

export function groupField(text: string, complain: Complain): boolean {
  if (GROUP.test(text)) return true;
  complain('group', `${shown(text)} is not 1 to 64 of a-z, 0-9 and -`);
  return false;
}

export function regionFault(text: string): string {
  return `${shown(text)} is not one of ${REGIONS.join(', ')}`;
}

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const VOLUME_SCALE = 10 ** VOLUME_DECIMALS;

/**
 * A number ≥ 0 with at most four decimals, in ten-thousandths; -1 for any other text. Runs three
 * times for every row of the largest file, so without a regular expression.
 */
export function volumeField(text: string): number {
  let scaled = 0;
  let point = -1;
  const { length } = text;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) scaled = scaled * 10 + (code - ZERO);
    else if (code === POINT && point === -1 && index > 0 && index < length - 1) point = index;
    else return -1;
  }
  const decimals = point === -1 ? 0 : length - point - 1;
  if (length === 0 || decimals > VOLUME_DECIMALS) return -1;
  scaled *= 10 ** (VOLUME_DECIMALS - decimals);
  return scaled <= Number.MAX_SAFE_INTEGER ? scaled : -1;
}

/** Why `volumeField` did not take a text. */
export function volumeFault(text: string): string {
  if (/^-\d+(\.\d+)?$/.test(text)) return `${shown(text)} is negative`;
  if (/^\d+\.\d{5,}$/.test(text)) return `${shown(text)} has more than 4 decimals`;
  if (/^\d+(\.\d+)?$/.test(text)) {
    return `${shown(text)} is above ${Math.floor(Number.MAX_SAFE_INTEGER / VOLUME_SCALE)}`;
  }
  return `${shown(text)} is not a number like 1234.5`;
}
