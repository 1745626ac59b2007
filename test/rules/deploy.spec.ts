import { Ajv } from 'ajv';
import { Metrics } from '#service/metrics/metrics.js';
import { VARIABLES } from '#web/configuration-variables.js';
import { isShipped, projectFiles } from './project-files.js';

const files = projectFiles();
const deployed = files.filter(({ name }) => /^(deploy\/|docker-compose)/.test(name));
const chart = deployed.filter(({ name }) => name.startsWith('deploy/helm/'));

function textOf(name: string): string {
  return files.find((file) => file.name === name)?.text ?? '';
}

/** Names of others: of the images, of Compose's standbys, and of systemd's address families. */
const OTHERS =
  'POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD NODE_ENV NODE_OPTIONS SERVER_NAME STANDBY_NAMES AF_INET AF_UNIX'.split(
    ' ',
  );

test('every setting that a deployment names exists', () => {
  const known = new Set([...Object.keys(VARIABLES), ...OTHERS]);
  const named = deployed.flatMap(({ name, text }) =>
    [...text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([setting]) => ({ name, setting })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ setting }) => !known.has(setting))).toEqual([]);
});

/** Settings that the chart makes itself, and those that no process of a cluster takes. */
const OF_THE_CHART =
  /^(ARCHIVE_DIR|DATA_DIR|DEMO|DECIDERS|API_WORKERS|API_URL|.+_PORT|CHARGING_.+)$/;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(textOf('deploy/helm/values.schema.json')) as Schema;

function keysOf(...path: readonly string[]): string[] {
  const at = path.reduce<Schema | undefined>((part, key) => part?.properties?.[key], schema);
  return Object.keys(at?.properties ?? {});
}

test('the chart takes every setting: as a value, or from the secret if it is one', () => {
  const secret = (name: string) => 'secret' in VARIABLES[name as keyof typeof VARIABLES];
  const names = Object.keys(VARIABLES).toSorted();
  const plain = names.filter((name) => !secret(name) && !OF_THE_CHART.test(name));
  expect(keysOf('settings').toSorted()).toEqual(plain);
  expect(keysOf('secrets', 'create').toSorted()).toEqual(names.filter(secret));
  const templates = chart.map(({ text }) => text).join('\n');
  for (const name of names.filter(secret)) expect(templates).toContain(`(list . "${name}" `);
});

/** Paths of the keys of values.yaml, `api.replicas`; those of its lists are left out. */
function valuePaths(): string[] {
  const path: { readonly indent: number; readonly key: string }[] = [];
  return [...textOf('deploy/helm/values.yaml').matchAll(/^( *)([a-zA-Z_]+):/gm)].map(
    ([, { length: indent } = '', key = '']) => {
      while ((path.at(-1)?.indent ?? -1) >= indent) path.pop();
      path.push({ indent, key });
      return path.map((each) => each.key).join('.');
    },
  );
}

test('the values of the chart are those that its schema and its templates know', () => {
  const paths = new Set(valuePaths());
  const inSchema = keysOf().flatMap((key) => [
    key,
    ...(key === 'settings' ? [] : keysOf(key)).map((inner) => `${key}.${inner}`),
  ]);
  const used = chart.flatMap(({ text }) =>
    [...text.matchAll(/\.Values\.([a-zA-Z.]+)/g)].map(([, value = '']) => value),
  );
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter((value) => !paths.has(value))).toEqual([]);
  // `global` is what Helm itself hands to every chart.
  expect(inSchema.filter((value) => value !== 'global' && !paths.has(value))).toEqual([]);
  expect(() => new Ajv({ strict: false }).compile(schema)).not.toThrow();
});

/** The names that processes register, and those of the process and of Node.js. */
async function registered(): Promise<ReadonlySet<string>> {
  const metrics = new Metrics();
  metrics.watchProcess();
  const common = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)];
  const own = files
    .filter(isShipped)
    .map(({ text }) => [...text.matchAll(/'(popindex_[a-z_]+)'/g)]);
  return new Set([...common, ...own.flat()].map(([, name = '']) => name));
}

test('every metric that an alert, the dashboard or the page for operators names exists', async () => {
  const known = await registered();
  const rows = textOf('docs/operating.md').match(/^\| `(popindex|nodejs|process)_.*$/gm) ?? [];
  const monitoring = deployed.filter(({ name }) => name.startsWith('deploy/monitoring/'));
  const text = [...rows, ...monitoring.map((file) => file.text)].join('\n');
  const named = text.match(/\b(?:popindex|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g) ?? [];
  expect(named.length).toBeGreaterThan(60);
  const metrics = named.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(metrics.filter((metric) => !known.has(metric))).toEqual([]);
});
