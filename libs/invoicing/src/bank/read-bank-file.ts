import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import type { BankFile } from './bank-entry.js';
import { readBankCsv } from './read-bank-csv.js';
import { readCamt } from './read-camt.js';

/** It is read at once, in some tenths of a second; a month of a bank account is smaller. */
export const FILE_BYTES_MAX = 2 * 1024 * 1024;
const ENCODINGS = /^(?:utf-8|iso-8859-1|iso-8859-15|windows-1252|us-ascii)$/i;

/** Throws a ProblemException: `too-large`, and `invalid-body` with what is wrong, where. */
export function readBankFile(bytes: Uint8Array): BankFile {
  if (bytes.length > FILE_BYTES_MAX) throw tooLarge();
  const [start = ''] = Buffer.from(bytes.subarray(0, 200)).toString('latin1').split('?>', 1);
  const isXml = /^(?:\xef\xbb\xbf)?\s*</.test(start);
  const read = isXml ? readCamt(decodedXml(bytes, start)) : readBankCsv(decodedCsv(bytes));
  if (!('faults' in read)) return read;
  const errors = read.faults.map(({ place, detail }) => {
    return { pointer: '', detail: `${place}: ${detail}` };
  });
  throw invalidBody(errors);
}

/** A file that does not end within what is read. */
export function tooLarge(): ProblemException {
  const detail = 'A file of a bank has at most 2 MiB: send the statement of fewer days.';
  return new ProblemException(problem('too-large', detail));
}

function decodedXml(bytes: Uint8Array, start: string): string {
  const [, named = 'utf-8'] = /encoding\s*=\s*["']([^"']+)["']/.exec(start) ?? [];
  if (ENCODINGS.test(named)) return decoded(bytes, named);
  throw invalidBody([{ pointer: '', detail: `The encoding "${named}" is not read: use UTF-8.` }]);
}

/** Banks write CSV as UTF-8, or as Windows does. */
function decodedCsv(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody([{ pointer: '', detail: `The file is not ${encoding}, as it says.` }]);
  }
}
