import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildAdminClient, buildClient } from '#client/build-clients.js';
import { headersOf } from '#client/answer-headers.js';
import { freePort } from '../setup/free-port.js';
import { endpointsOf } from '../../libs/client/generator/endpoints-of.js';
import type { DescribedInterface } from '../../libs/client/generator/described.js';
import { Program } from '../setup/program.js';
import { Service, type Customer } from '../setup/service.js';
import { ShellSession } from '../setup/shell-session.js';
import { TcpProxy } from '../setup/tcp-proxy.js';
import { faultsOf, stepsOf } from '../setup/shown-steps.js';

const ROOT = path.resolve(__dirname, '../..');
const COMPILER = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PROGRAM = path.join(__dirname, 'strict-program.ts');
const STEP_MS = 120_000;
const TOP_5 = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

/** As strict as a customer may be. */
const STRICT = {
  target: 'es2022',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

const run = promisify(execFile);

/** Each program of the page as commands that write it to its file and run it. */
function typed(markdown: string): string {
  const program = /^```js\n\/\/ (\S+)\n([^]*?)^```$/gm;
  return markdown.replaceAll(
    program,
    (_, name: string, text: string) =>
      `\`\`\`sh\ncat > ${name} <<'END'\n${text}END\nnode ${name}\n\`\`\``,
  );
}

const steps = stepsOf(typed(readFileSync(path.join(ROOT, 'libs/client/README.md'), 'utf8')));

let service: Service;
let customer: Customer;
let folder: string;
let shell: ShellSession;

beforeAll(async () => {
  await Program.build();
  service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  customer = await service.customer(100_000);
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-client-'));
  await writeFile(path.join(folder, 'admin-token'), service.adminToken);
  await writeFile(path.join(folder, 'demo-api-key'), customer.apiKey);
  shell = new ShellSession({ TMPDIR: folder });
}, 240_000);

afterAll(async () => {
  await shell.end();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the five minutes of its page, as somebody types them', () => {
  let places: ReadonlyMap<string, string>;

  beforeAll(async () => {
    places = new Map([
      ['http://127.0.0.1:3000', service.apiUrl],
      ['http://127.0.0.1:3001', service.adminUrl],
      ['4000', String(await freePort())],
      ['.data/', `${folder}/`],
      ['/tmp/', `${folder}/`],
    ]);
  });

  it('has a program for each part', () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(steps.filter(({ answers }) => answers.length > 0).length).toBeGreaterThan(4);
  });

  it.each(steps)(
    '$heading (line $line)',
    async ({ script, answers }) => {
      const shown = new RegExp(
        [...places.keys()].toSorted((a, b) => b.length - a.length).join('|'),
        'g',
      );
      const moved = script.replaceAll(shown, (place) => places.get(place) ?? '');
      const output = await shell.run(moved);
      expect(answers.flatMap((answer) => faultsOf(answer, output))).toEqual([]);
    },
    STEP_MS,
  );
});

describe('the package in an empty folder', () => {
  let app: string;

  beforeAll(async () => {
    app = path.join(folder, 'app');
    const [tarball = ''] = await readdir(path.join(folder, 'popindex-client')).then((names) =>
      names.filter((name) => name.endsWith('.tgz')),
    );
    await run('mkdir', [app]);
    await writeFile(path.join(app, 'package.json'), '{"type":"module","private":true}');
    const file = path.join(folder, 'popindex-client', tarball);
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: app });
  }, STEP_MS);

  it('comes alone', async () => {
    const names = (await readdir(path.join(app, 'node_modules'))).filter(
      (name) => name !== '.package-lock.json',
    );
    expect(names).toEqual(['@popindex']);
  });

  it.each([
    ['of a server', { module: 'nodenext' }],
    ['of a page', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] }],
  ])(
    'compiles in a strict program %s, and runs',
    async (_where, options) => {
      const compilerOptions = { ...STRICT, ...options };
      const files = ['strict-program.ts'];
      await writeFile(path.join(app, 'strict-program.ts'), readFileSync(PROGRAM));
      await writeFile(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const compiled = await run(process.execPath, [COMPILER], { cwd: app }).catch(
        (error: { stdout: string }) => error,
      );
      expect(compiled.stdout).toBe('');
      const { apiUrl, adminUrl, adminToken } = service;
      const env = { ...process.env, API: apiUrl, ADMIN: adminUrl, ADMIN_TOKEN: adminToken };
      const { stdout } = await run(process.execPath, ['strict-program.js'], { cwd: app, env });
      expect(JSON.parse(stdout)).toEqual({
        first: 35,
        balance: 965,
        calls: [10, 35],
        pages: 2,
        kinds: ['repeat', 'base'],
        refusal: [402, 50_000, 955],
        seller: 'Index GmbH',
        csv: 'call_id',
        revoked: 'revoked',
        unused: 6,
      });
    },
    STEP_MS,
  );
});

describe('the package in a program that says require', () => {
  const COMMONJS = `const { createClient, isProblem } = require('@popindex/client');
test('it is there', async () => {
  const client = createClient({ baseUrl: process.env.API, apiKey: 'pix_live_x' });
  const thrown = await client.account.get().catch((error) => error);
  expect([isProblem(thrown, 'invalid-key'), thrown.status]).toEqual([true, 401]);
});`;
  const TYPED = `import { createClient, isProblem, type Account } from '@popindex/client';
export const account = (): Promise<Account> =>
  createClient({ baseUrl: 'http://localhost', apiKey: 'k' }).account.get();
export const wrong = (thrown: unknown) => isProblem(thrown, 'x');`;
  let app: string;

  beforeAll(async () => {
    app = path.join(folder, 'commonjs');
    await run('mkdir', [app]);
    await cp(path.join(folder, 'app', 'node_modules'), path.join(app, 'node_modules'), {
      recursive: true,
    });
    await writeFile(path.join(app, 'package.json'), '{"private":true}');
  }, STEP_MS);

  it(
    'runs in Jest as it comes',
    async () => {
      await writeFile(path.join(app, 'client.test.js'), COMMONJS);
      const jest = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
      const env = { ...process.env, API: service.apiUrl };
      const args = [jest, '--rootDir', app, '--maxWorkers=1'];
      const { stderr } = await run(process.execPath, args, { cwd: app, env });
      expect(stderr).toContain('1 passed');
    },
    STEP_MS,
  );

  it(
    'compiles for Node16, and lists the codes where one is wrong',
    async () => {
      const compilerOptions = { ...STRICT, module: 'node16', noErrorTruncation: true };
      await writeFile(path.join(app, 'typed.ts'), TYPED);
      const config = JSON.stringify({ compilerOptions, files: ['typed.ts'] });
      await writeFile(path.join(app, 'tsconfig.json'), config);
      const { stdout } = await run(process.execPath, [COMPILER], { cwd: app }).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout.match(/error TS\d+/g)).toHaveLength(1);
      expect(stdout).toMatch(/"x"' is not assignable to parameter of type '.*"out-of-credits" \|/);
      expect(readFileSync(path.join(app, 'typed.js'), 'utf8')).toContain('require(');
    },
    STEP_MS,
  );
});

describe('a connection that is cut once the service has done what it was asked for', () => {
  let proxy: TcpProxy;

  afterEach(() => proxy.stop());

  it('has a call paid for once', async () => {
    proxy = await TcpProxy.start(service.apiUrl);
    const { apiKey } = await service.customer(1_000);
    const client = buildClient({ baseUrl: proxy.url, apiKey }, []);
    proxy.setMode('cut-answer');
    const answer = (await client.pull(TOP_5)) as { credits_used: number };
    expect(answer.credits_used).toBe(35);
    expect(headersOf(answer).get('Idempotent-Replayed')).toBe('true');
    expect(headersOf(answer).get('Credits-Balance')).toBe('965');
  });

  it('has a change made once', async () => {
    proxy = await TcpProxy.start(service.adminUrl);
    const document = (await (
      await fetch(`${service.adminUrl}/openapi.json`)
    ).json()) as DescribedInterface;
    const endpoints = endpointsOf(document, '/admin/v1/').map(({ endpoint }) => endpoint);
    const admin = buildAdminClient({ baseUrl: proxy.url, token: service.adminToken }, endpoints);
    const { accountId } = await service.customer(0);
    proxy.setMode('cut-answer');
    const grant = { credits: 1_000, kind: 'promotional' };
    const made = (await admin['credits']?.['grant']?.(accountId, grant)) as { id: string };
    expect(headersOf(made).get('Idempotent-Replayed')).toBe('true');
    const { body } = await service.admin(`/accounts/${accountId}/grants`);
    expect(body.items).toMatchObject([{ id: made.id }]);
  });
});

it.each([
  ['admin REST', () => `${service.adminUrl}/openapi.json`, '/admin/v1/', 70],
  ['public API', () => `${service.apiUrl}/openapi.json`, '/v1/', 12],
])('every operation of the %s has a method of its own', async (_which, url, prefix, least) => {
  const document = (await (await fetch(url())).json()) as DescribedInterface;
  const names = endpointsOf(document, prefix).map(({ endpoint }) => endpoint.name);
  expect(names.length).toBeGreaterThan(least);
  expect(names.filter((name) => !/^[a-z][A-Za-z]*\.[a-z]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
