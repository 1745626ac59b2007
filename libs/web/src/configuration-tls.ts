import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeOf } from '#database/errors.js';
import type { Values, VariableName } from './configuration-variables.js';

/** The certificate, key and CA of a process for the charging link, as PEM texts. */
export interface TlsTexts {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

type Report = (name: VariableName, fault: string) => void;

const CERT = 'CHARGING_TLS_CERT';
const KEY = 'CHARGING_TLS_KEY';
const CA = 'CHARGING_TLS_CA';
const NAMES = [CERT, KEY, CA] as const;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/** Reports those of the three settings that are missing while another one is set. */
export function reportMissingTls(values: Values, report: Report): void {
  const missing = NAMES.filter((name) => values[name] === undefined);
  if (missing.length === NAMES.length) return;
  for (const name of missing) report(name, 'it is required with the other two of CHARGING_TLS_');
}

/**
 * Reads the files of the three settings; null where none is set. Reports every fault, without
 * content of the private key.
 */
export function readTls(values: Values, nowMs: number, report: Report): TlsTexts | null {
  if (NAMES.every((name) => values[name] === undefined)) return null;
  reportMissingTls(values, report);
  const [cert, key, ca] = NAMES.map((name) => readText(name, values[name], report));
  const own = cert === undefined ? [] : certificatesIn(CERT, cert, report).slice(0, 1);
  const trusted = ca === undefined ? [] : certificatesIn(CA, ca, report);
  for (const [name, found] of [[CERT, own] as const, [CA, trusted] as const]) {
    const faults = found.map((one) => timeFault(one, nowMs));
    // While one CA replaces another, one that has expired may be left.
    if (faults.length > 0 && !faults.includes(undefined)) report(name, faults[0] ?? '');
  }
  const privateKey = key === undefined ? undefined : keyIn(key, report);
  const [leaf] = own;
  if (leaf !== undefined && privateKey !== undefined && !leaf.checkPrivateKey(privateKey)) {
    report(KEY, `it is not the key of the certificate in ${CERT}`);
  }
  if (cert === undefined || key === undefined || ca === undefined) return null;
  return { cert, key, ca };
}

function readText(
  name: VariableName,
  file: string | undefined,
  report: Report,
): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    report(name, `"${file}" cannot be read (${codeOf(error) ?? 'unknown'})`);
    return undefined;
  }
}

function certificatesIn(name: VariableName, text: string, report: Report): X509Certificate[] {
  try {
    const found = [...text.matchAll(CERTIFICATE)].map(([pem]) => new X509Certificate(pem));
    if (found.length > 0) return found;
  } catch {
    // Reported below.
  }
  report(name, 'there is no certificate in it that can be read');
  return [];
}

function keyIn(text: string, report: Report): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    report(KEY, 'there is no private key without a passphrase in it');
    return undefined;
  }
}

function timeFault({ validFrom, validTo }: X509Certificate, nowMs: number): string | undefined {
  if (Date.parse(validTo) <= nowMs) return `the certificate has expired on ${validTo}`;
  return Date.parse(validFrom) > nowMs
    ? `the certificate is not valid before ${validFrom}`
    : undefined;
}
