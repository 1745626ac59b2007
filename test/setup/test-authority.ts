import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralName,
} from '@peculiar/x509';

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

cryptoProvider.set(webcrypto);

/** As a process takes them: PEM texts. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** A CA that lives as long as a test. */
export class TestAuthority {
  private constructor(
    private readonly name: string,
    private readonly keys: webcrypto.CryptoKeyPair,
    /** Its certificate. */
    readonly pem: string,
  ) {}

  static async make(name = 'CN=CA of the tests'): Promise<TestAuthority> {
    const keys = await newKeys();
    const made = await X509CertificateGenerator.createSelfSigned({
      name,
      keys,
      ...validity(DAY_MS),
      signingAlgorithm: CURVE,
      extensions: [new BasicConstraintsExtension(true, 1, true)],
    });
    return new TestAuthority(name, keys, made.toString('pem'));
  }

  /** For a process at these addresses and names. `endsInMs`: below 0 it has expired already. */
  async issue(
    names: readonly JsonGeneralName[] = [{ type: 'ip', value: '127.0.0.1' }],
    endsInMs = DAY_MS,
  ): Promise<Credentials> {
    const keys = await newKeys();
    const made = await X509CertificateGenerator.create({
      subject: 'CN=a process of the tests',
      issuer: this.name,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      ...validity(endsInMs),
      signingAlgorithm: CURVE,
      extensions: [new SubjectAlternativeNameExtension([...names])],
    });
    return { cert: made.toString('pem'), key: await pemOf(keys.privateKey), ca: this.pem };
  }
}

function validity(endsInMs: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - 2 * DAY_MS), notAfter: new Date(now + endsInMs) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}
