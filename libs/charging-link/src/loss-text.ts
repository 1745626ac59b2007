import { codeOf } from '#database/errors.js';
import { isTlsCode, tlsFaultText } from './tls-faults.js';

const NO_WORD = 'it ended the connection without a word: ';
/** A side that does not take the other's certificate, or its first bytes, says nothing. */
const SILENT_REFUSALS = {
  tls: `${NO_WORD}it speaks no TLS, or does not take the certificate of this process`,
  plain: `${NO_WORD}it may speak TLS, and this process has no CHARGING_TLS_CERT`,
};

/**
 * Why a connection to an accounting process ended, as a part of a sentence. `heard`: whether the
 * process had said anything.
 */
export function lossText(error: Error | undefined, hasTls: boolean, heard: boolean): string {
  const code = codeOf(error);
  const isSilent = !heard && (error === undefined || (hasTls && code === 'ECONNRESET'));
  if (isSilent) return SILENT_REFUSALS[hasTls ? 'tls' : 'plain'];
  if (error === undefined) return 'it ended the connection';
  if (code !== undefined && isTlsCode(code)) return tlsFaultText(code);
  // An attempt on several addresses of one name fails with an error that has no words of its own.
  const errors = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  return error.message === '' ? errors.map(String).join(', ') : error.message;
}
