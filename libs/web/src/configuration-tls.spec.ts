import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TestAuthority, type Credentials } from '../../../test/setup/test-authority.js';
import {
  ConfigurationError,
  readConfiguration,
  type ConfigurationMode,
  type Environment,
} from './configuration.js';

const SECRET = 'a-secret-of-at-least-32-characters!';
const SPLIT = {
  DATABASE_URL: 'postgresql://popindex@db.example.com/popindex',
  ADMIN_TOKEN: SECRET,
  CHARGING_SECRET: SECRET,
  CHARGING_URLS: 'tcp://10.0.0.7:3002',
};
const DAY_MS = 86_400_000;

let folder: string;
let authority: TestAuthority;
let good: Credentials;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-tls-'));
  authority = await TestAuthority.make();
  good = await authority.issue();
});
afterAll(() => rmSync(folder, { recursive: true }));

function settingsOf({ cert, key, ca }: Credentials): Environment {
  const fileOf = (name: string, text: string): string => {
    const file = path.join(folder, `${name}.pem`);
    writeFileSync(file, text);
    return file;
  };
  return {
    ...SPLIT,
    CHARGING_TLS_CERT: fileOf('cert', cert),
    CHARGING_TLS_KEY: fileOf('key', key),
    CHARGING_TLS_CA: fileOf('ca', ca),
  };
}

function faults(environment: Environment, mode: ConfigurationMode = 'accounting'): string[] {
  try {
    readConfiguration(mode, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}

test('the files are read by both processes of the link, and by no command', () => {
  const settings = settingsOf(good);
  expect(readConfiguration('api', settings).chargingTls).toEqual(good);
  expect(readConfiguration('accounting', settings).chargingTls).toEqual(good);
  expect(readConfiguration('popindex', settings).chargingTls).toBeNull();
  expect(readConfiguration('api', SPLIT).chargingTls).toBeNull();
});

test.each<ConfigurationMode>(['standalone', 'api', 'accounting', 'popindex'])(
  'all three are set or none, for the process %s',
  (mode) => {
    const { CHARGING_TLS_KEY: _, ...rest } = settingsOf(good);
    const expected = /^CHARGING_TLS_KEY: takes .+; it is required with the other two/;
    expect(faults(rest, mode)).toEqual([expect.stringMatching(expected)]);
    const { CHARGING_TLS_CA: __, ...one } = rest;
    expect(faults(one, mode)).toHaveLength(2);
    expect(faults(SPLIT, mode)).toEqual([]);
  },
);

test('a file that is not there is named, with every other fault', () => {
  const found = faults({
    ...settingsOf({ ...good, key: 'no key', ca: 'no certificate' }),
    CHARGING_TLS_CERT: '/nowhere/cert.pem',
    LOG_LEVEL: 'loud',
  });
  expect(found).toEqual([
    'CHARGING_TLS_CERT: takes the path of a PEM file with a certificate; "/nowhere/cert.pem" cannot be read (ENOENT)',
    'CHARGING_TLS_KEY: takes the path of a PEM file with a private key; there is no private key without a passphrase in it',
    'CHARGING_TLS_CA: takes the path of a PEM file with a CA; there is no certificate in it that can be read',
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
});

test('a key of another certificate is refused', async () => {
  const { key } = await authority.issue();
  const expected =
    /^CHARGING_TLS_KEY: .+ it is not the key of the certificate in CHARGING_TLS_CERT$/;
  expect(faults(settingsOf({ ...good, key }))).toEqual([expect.stringMatching(expected)]);
});

test('a certificate that has expired is refused, but for one of several CAs', async () => {
  const old = await authority.issue(undefined, -DAY_MS);
  expect(faults(settingsOf(old))).toEqual([
    expect.stringMatching(/^CHARGING_TLS_CERT: .+; the certificate has expired on .+ GMT$/),
  ]);
  expect(faults(settingsOf({ ...good, ca: `${old.cert}\n${good.ca}` }))).toEqual([]);
  expect(faults(settingsOf({ ...good, ca: old.cert }))).toEqual([
    expect.stringMatching(/^CHARGING_TLS_CA: .+; the certificate has expired on /),
  ]);
});

test('a file that holds a broken certificate is refused', () => {
  const cert = good.cert.replace(/[A-Za-z]{8}/, 'AAAAAAAA').replace(/M/g, 'N');
  expect(faults(settingsOf({ ...good, cert }))[0]).toMatch(
    /^CHARGING_TLS_CERT: .+ that can be read$/,
  );
});
