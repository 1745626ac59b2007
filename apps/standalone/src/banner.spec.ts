import path from 'node:path';
import { readConfiguration } from '#web/configuration.js';
import { banner, keptOpeners, canPrintSecrets } from './banner.js';

const DEMO = '0197c000-0000-7000-a000-000000000001';
const configuration = readConfiguration('standalone', {});

test.each([
  ['a terminal on this machine', null, '127.0.0.1', true, true],
  ['a pipe or a file', null, '127.0.0.1', false, false],
  ['a terminal, but the ports are open to a network', null, '0.0.0.0', true, false],
  ['a terminal, but the database is another one', 'postgresql://db/popindex', '::1', true, false],
])('secrets are printed to %s: %#', (_where, databaseUrl, host, isTerminal, may) => {
  expect(canPrintSecrets({ databaseUrl, host }, isTerminal)).toBe(may);
});

test('where no secret may be printed, a line names the file of each and a command for a link', () => {
  const printed = banner(configuration, keptOpeners(configuration, DEMO));
  expect(printed).toContain('Admin token  in .data/admin-token\n');
  expect(printed).toContain('-H "Authorization: Bearer $(cat .data/demo-api-key)" http://');
  expect(printed).toContain(`popindex -- portal link ${DEMO} --role manager`);
});

test('a token that was given is named by its variable', () => {
  const given = { ...configuration, adminToken: 'x' };
  expect(keptOpeners(given, null)).toEqual({ adminToken: 'as in ADMIN_TOKEN', demo: null });
});

test('a file elsewhere is named whole, and as a shell takes it', () => {
  const dataDir = path.resolve('/', "nadja's data");
  expect(keptOpeners({ ...configuration, dataDir }, null).adminToken).toBe(
    `in '/nadja'\\''s data/admin-token'`,
  );
});
