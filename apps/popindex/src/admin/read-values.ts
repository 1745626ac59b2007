import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { SentFile } from './admin-command.js';
import { parseStrictJson } from '#web/strict-json.js';
import { callerPath } from './caller-path.js';
import { fileFault } from './file-fault.js';

/** A whole number, with or without separators: `100000`, `100_000`, `100,000`. */
export function wholeNumber(text: string): number {
  const digits = text.replaceAll(/(?<=\d)[_,](?=\d{3}(?!\d))/g, '');
  const value = /^[+-]?\d+$/.test(digits) ? Number(digits) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError(`"${text}" is not a whole number.`);
}

/** A whole number, or `none`. */
export function wholeNumberOrNone(text: string): number | null {
  return text === 'none' ? null : wholeNumber(text);
}

/** `true` or `false`. */
export function trueOrFalse(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError(`"${text}" is neither true nor false.`);
}

/** A text, or `none`. */
export function textOrNone(text: string): string | null {
  return text === 'none' ? null : text;
}

/** Words between commas. */
export function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

export function wholeNumbers(text: string): number[] {
  return words(text).map(wholeNumber);
}

/** Parts of invoice lines with commas: `4=1200` minor units of line 4, `4=500c` credits of it. */
export function creditedLines(text: string): object[] {
  return words(text).map((word) => {
    const [, line = '', part = '', isCredits = ''] = /^(\d+)=(\d+)(c?)$/.exec(word) ?? [];
    if (line === '') {
      throw new InvalidArgumentError(
        'A line is its number and minor units, or credits: 4=1200, 4=500c.',
      );
    }
    const of = isCredits === '' ? 'amount' : 'credits';
    return { line: wholeNumber(line), [of]: wholeNumber(part) };
  });
}

/** Calls a second and at once, as `50/100`, or `none`. */
export function rateLimit(text: string): { per_second: number; burst: number } | null {
  if (text === 'none') return null;
  const [perSecond = '', burst = '', ...rest] = text.split('/');
  if (burst === '' || rest.length > 0) {
    throw new InvalidArgumentError('A limit is calls a second and at once, such as 50/100.');
  }
  return { per_second: wholeNumber(perSecond), burst: wholeNumber(burst) };
}

/** The object that a JSON file holds; the path is meant from where the user stands. */
export function jsonFile(name: string): unknown {
  const file = callerPath(name);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`${file}: ${fileFault(error)}.`);
  }
  const parsed = parseStrictJson(text);
  if (parsed.outcome === 'fault') {
    throw new InvalidArgumentError(`${file}: this is no JSON: ${parsed.fault.detail}`);
  }
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new InvalidArgumentError(`${file} holds no JSON object.`);
}

/** The same, or `none`. */
export function jsonFileOrNone(name: string): unknown {
  return name === 'none' ? null : jsonFile(name);
}

/** A log as it is: one JSON object a line, or else CSV. */
export function logFile(name: string): SentFile {
  return sentFile(name, /\.(?:jsonl|ndjson)$/i, 'application/x-ndjson');
}

/** A file as it is: of a type by the ending of its name, or else CSV. */
export function sentFile(name: string, ending: RegExp, type: string): SentFile {
  const file = callerPath(name);
  try {
    return { bytes: readFileSync(file), type: ending.test(file) ? type : 'text/csv' };
  } catch (error) {
    throw new InvalidArgumentError(`${file}: ${fileFault(error)}.`);
  }
}
