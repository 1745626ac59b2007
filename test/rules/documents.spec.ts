import path from 'node:path';
import { Command } from 'commander';
import { plan } from '#account/scenario.suite.js';
import { adminDocument } from '#admin-backend/admin-document.js';
import { draftInvoice, draftReissue, numbered } from '#invoice-rules/draft-invoice.js';
import { factsOf, invoiceTerms } from '#invoice-rules/months.suite.js';
import { portalDocument } from '#portal-backend/portal-document.js';
import { apiDocument } from '../../apps/api/src/openapi/api-document.js';
import { adminCommands } from '../../apps/popindex/src/admin/admin-commands.js';
import { databaseCommands } from '../../apps/popindex/src/database-commands.js';
import { VARIABLE_NAMES } from '#web/configuration-variables.js';
import { SETTING_SECTIONS, settingsPage } from '#web/settings-page.js';
import { projectFiles, projectPaths } from './project-files.js';

const files = projectFiles();
const documents = files.filter(({ name }) => name.endsWith('.md'));
const paths = new Set(projectPaths());

/** Without what is shown in fences, where brackets and hashes mean something else. */
function prose(text: string): string {
  return text.replace(/^ *```[^]*?^ *```$/gm, '');
}

function textOf(name: string): string {
  return files.find((file) => file.name === name)?.text ?? '';
}

/** The anchors that a document's headings get on the pages where repositories are read. */
function anchorsOf(text: string): Set<string> {
  const headings = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** `file: link` for each link of a document into the project that leads nowhere. */
function deadLinks({ name, text }: (typeof documents)[number]): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const isDead = (link: string): boolean => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file);
    const isThere = paths.has(target) || [...paths].some((each) => each.startsWith(`${target}/`));
    return !isThere || (anchor !== undefined && !anchorsOf(textOf(target)).has(anchor));
  };
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter(isDead)
    .map((link) => `${name}: ${link}`);
}

test('every link from a document into the project leads somewhere', () => {
  expect(documents.flatMap(deadLinks)).toEqual([]);
});

test('every file or folder that a document names by its path exists', () => {
  const isThere = (named: string) =>
    paths.has(named) || [...paths].some((each) => each.startsWith(`${named}/`));
  const named = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/`((?:apps|bench|bin|deploy|docs|libs|test)\/[\w./-]*\w)\/?`/g)].map(
      ([, file = '']) => ({ name, file }),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ file }) => !isThere(file))).toEqual([]);
});

test('decisions have numbers of their own, which their titles repeat', () => {
  const decisions = documents.flatMap(({ name, text }) => {
    const [, number] = /^docs\/decisions\/(\d{4})-/.exec(name) ?? [];
    const [, titled] = /^# (\d+)[.:] /.exec(text) ?? [];
    return number === undefined ? [] : [{ number: Number(number), titled: Number(titled) }];
  });
  const numbers = decisions.map(({ number }) => number).toSorted((a, b) => a - b);
  expect(numbers).toEqual(decisions.map((_, index) => index + 1));
  expect(decisions.filter(({ number, titled }) => number !== titled)).toEqual([]);
});

test('every decision that a text names by its number exists, and the index lists it', () => {
  const page = textOf('docs/decisions/README.md');
  const pages = documents.filter(({ name }) => /^docs\/decisions\/\d{4}-/.test(name));
  const listed = new Set([...page.matchAll(/^- \[(\d+)\]/gm)].map(([, number]) => number));
  expect([...listed]).toEqual(pages.map((_, index) => String(index + 1)));
  const named = files.flatMap(({ name, text }) =>
    [...text.matchAll(/\bdecisions? (\d+)(?: and (\d+))?(?=[)\].,;:]|$)/gim)].flatMap(
      ([, ...numbers]) => numbers.filter(Boolean).map((number) => ({ name, number })),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ number }) => !listed.has(number))).toEqual([]);
});

test('the page of settings explains every setting once, and no other', () => {
  const explained = Object.values(SETTING_SECTIONS).flatMap((section) => Object.keys(section));
  expect(explained.toSorted()).toEqual(VARIABLE_NAMES.toSorted());
});

test('the page of settings is current; `npm run release-documents` writes it', () => {
  expect(textOf('docs/settings.md')).toBe(settingsPage());
});

/** Variables that other programs read: the tests, and the SDK of OpenTelemetry. */
const OTHERS = ['CHROMIUM_PATH', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'TEST_DATABASE_URL'];

test('every setting that a document names exists', () => {
  const known = new Set<string>([...VARIABLE_NAMES, ...OTHERS]);
  const named = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, setting = '']) => ({
      name,
      setting,
    })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ setting }) => !known.has(setting))).toEqual([]);
});

/** The names of all headers in the documents of the servers, by their names in lower case. */
function headerNames(): Map<string, string> {
  const servers = [apiDocument, adminDocument, portalDocument];
  const names = servers.flatMap((documentOf) => {
    const text = JSON.stringify(documentOf('https://api.example.com'));
    const asked = [...text.matchAll(/"name":"([^"]+)","in":"header"/g)].map(
      ([, name = '']) => name,
    );
    const answered = [...text.matchAll(/"([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*)":\{/g)];
    return [
      ...asked,
      ...answered.map(([, name = '']) => name).filter((name) => name.includes('-')),
    ];
  });
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

test('a header is spelled in every document as the servers describe it', () => {
  const names = headerNames();
  expect(names.get('request-id')).toBe('Request-Id');
  expect(names.get('idempotency-key')).toBe('Idempotency-Key');
  const spelled = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/`([A-Za-z]+(?:-[A-Za-z]+)+)(?::[^`]*)?`/g)].map(([, header = '']) => ({
      name,
      header,
    })),
  );
  const isWrong = ({ header }: { readonly header: string }): boolean =>
    (names.get(header.toLowerCase()) ?? header) !== header;
  expect(spelled.length).toBeGreaterThan(20);
  expect(spelled.filter(isWrong)).toEqual([]);
});

const TERMINAL_WIDTH = 140;
const OF_TERMINALS = ['docs/operating.md', 'docs/failover.md', 'docs/scaling.md', 'SECURITY.md'];

test('what operators read fits the width of a terminal', () => {
  const wide = OF_TERMINALS.flatMap((name) =>
    textOf(name)
      .split('\n')
      .filter((line) => line.length > TERMINAL_WIDTH)
      .map((line) => `${name}: ${line}`),
  );
  expect(textOf('docs/operating.md').length).toBeGreaterThan(10_000);
  expect(wide).toEqual([]);
});

test('every npm script that a document shows exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const shown = documents.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([a-z:-]*[a-z])/g)].map(([, script = '']) => script),
  );
  expect(shown.filter((script) => !(script in scripts))).toEqual([]);
});

/** The commands of `popindex`, in commander. */
function popindex(): Command {
  const program = new Command('popindex');
  for (const command of [...databaseCommands(), ...adminCommands()]) program.addCommand(command);
  return program;
}

const program = popindex();

/** The words after the program's name, in each line or piece of code that shows a command. */
function shownCommands(text: string): string[][] {
  const shown = /(?:\bpopindex --|\bpopindex\/src\/main\.js|--rm popindex|`popindex) ([^\n#`|]+)/g;
  const lines = [...text.matchAll(shown)].map(([, line = '']) => line);
  return lines.map((line) => line.trim().split(/\s+/));
}

/** Why a command that is shown would not be taken; undefined where it would. */
function faultOf(words: readonly string[]): string | undefined {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  if (command.commands.length > 0) return `there is no ${words.join(' ')}`;
  const known = command.options.flatMap(({ long, short }) => [long, short]);
  const unknown = words.filter((word) => word.startsWith('--') && !known.includes(word));
  return unknown.length === 0 ? undefined : `${words.join(' ')}: there is no ${unknown.join(', ')}`;
}

test('every command that a document shows exists, with its options', () => {
  const shown = documents.flatMap(({ text }) => shownCommands(text));
  expect(shown.length).toBeGreaterThan(20);
  const isExample = ([first = '']: readonly string[]) => /^[<…]/.test(first);
  expect(
    shown.filter((words) => !isExample(words)).flatMap((words) => faultOf(words) ?? []),
  ).toEqual([]);
});

test('the page of formats lists the members of an invoice in the order of its JSON', () => {
  const rates = [{ date: '2026-10-30', rate: '1.1', source: 'ECB' }];
  const terms = invoiceTerms({ creditBalance: 100, exchange: { currency: 'GBP', rates } });
  const of = numbered(draftInvoice(factsOf({ plan }), terms), 'INV-000001', 'ab');
  const fee = of.lines.map(({ n, amount }) => [n, amount] as const);
  const draft = draftReissue(of, fee, { category: 'S', rate_percent: 20 }, terms);
  const whole = numbered(draft, 'INV-000002', 'ab');
  const page = textOf('docs/invoice-formats.md');
  const table = page.slice(page.indexOf('| member '), page.indexOf('\n`address` has'));
  const listed = table.split('\n').flatMap((row) => {
    const [, names = ''] = row.split('|');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  });
  expect(listed).toEqual(Object.keys(whole));
});
