import { Ajv } from 'ajv';
import { Metrics } from '#service/metrics/metrics.js';
import { readConfiguration } from '#web/configuration.js';
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
const OF_THE_CHART = /^(DATA_DIR|DEMO|DECIDERS|API_WORKERS|API_URL|.+_PORT|CHARGING_.+)$/;

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

/** Names of metrics, as the code registers them. */
const ownMetrics = files
  .filter(isShipped)
  .flatMap(({ text }) => [
    ...text.matchAll(/\.(?:counts|sampled|distributions)\(\s*'(popindex_\w+)'/g),
  ])
  .map(([, name = '']) => name);

interface MetricRow {
  /** With the labels of each. */
  readonly metrics: ReadonlyMap<string, readonly string[]>;
  readonly alert: string;
}

/** The list of metrics on the page for operators. */
const metricRows = [
  ...textOf('docs/operating.md').matchAll(
    /^- (`(?:popindex|nodejs|process)_.*?`): .*\n {2}- alert: (.*)$/gm,
  ),
].map(([, names = '', alert = '']): MetricRow => {
  const metrics = [...names.matchAll(/`(\w+)(?:\{([\w,]+)\})?`/g)].map(
    ([, name = '', labels]) => [name, labels?.split(',') ?? []] as const,
  );
  return { metrics: new Map(metrics), alert };
});

const listed = new Map(metricRows.flatMap(({ metrics }) => [...metrics]));
const monitoring = deployed.filter(({ name }) => name.startsWith('deploy/monitoring/'));

/** Of the name of a series: that of its metric. */
function metricOf(series: string): string {
  return series.replace(/_(bucket|count|sum)$/, '');
}

test('the page for operators lists every metric of the service, and no other', () => {
  expect(ownMetrics.length).toBeGreaterThan(25);
  const named = [...listed.keys()].filter((name) => name.startsWith('popindex_'));
  expect(named.toSorted()).toEqual(ownMetrics.toSorted());
});

test('every metric that an alert, the dashboard or the page for operators names exists', async () => {
  const metrics = new Metrics();
  metrics.watchProcess();
  const common = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)];
  const known = new Set([...ownMetrics, ...common.map(([, name = '']) => name)]);
  const text = monitoring.map((file) => file.text).join('\n');
  const series = text.match(/\b(?:popindex|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g) ?? [];
  expect(series.length).toBeGreaterThan(60);
  const named = [...listed.keys(), ...series.map(metricOf)];
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every label by which an alert or the dashboard picks a metric is one of it', () => {
  const picks = monitoring.flatMap(({ text }) => [
    ...text.matchAll(/\b(popindex_\w+)\{([^}]*)\}/g),
  ]);
  const picked = picks.flatMap(([, series = '', labels = '']) =>
    [...labels.matchAll(/(\w+)(?:=~?|!=|!~)/g)].map(([, label = '']) => [metricOf(series), label]),
  );
  expect(picked.length).toBeGreaterThan(20);
  const isUnknown = ([metric = '', label = '']: readonly string[]) =>
    listed.get(metric)?.includes(label) !== true;
  expect(picked.filter(isUnknown)).toEqual([]);
});

test('whatever the page for operators says to alert on has an alert, and nothing else has', () => {
  const alerts = textOf('deploy/monitoring/alerts.yml');
  const alerted = new Set(
    [...alerts.matchAll(/\b(?:popindex|nodejs|process)_\w+/g)].map(String).map(metricOf),
  );
  // How much memory a machine can spare is its operator's to say.
  const rows = metricRows.filter(({ metrics }) => !metrics.has('process_resident_memory_bytes'));
  const isAlerted = ({ metrics }: MetricRow) =>
    [...metrics.keys()].some((name) => alerted.has(name));
  expect(rows.filter((row) => isAlerted(row) !== (row.alert !== ''))).toEqual([]);
});

test('deployments start programs that are built, and use the ports of the service', () => {
  const others = ['Dockerfile', 'docker/nginx.conf'].map((name) => ({ name, text: textOf(name) }));
  const texts = [...deployed, ...others].map(({ text }) => text).join('\n');
  const programs = [...texts.matchAll(/\bdist\/(apps\/\w+\/src\/main)\.js\b/g)];
  expect(programs.length).toBeGreaterThan(8);
  const paths = new Set(files.map(({ name }) => name));
  expect(programs.filter(([, program = '']) => !paths.has(`${program}.ts`))).toEqual([]);
  const { apiPort, accountingPort, chargingPort, portalPort } = readConfiguration('standalone', {
    DATA_DIR: '/.data',
  });
  const ports = new Set([apiPort, accountingPort, chargingPort, portalPort].map(String));
  const used = texts.match(/(?<=[: ])30\d\d\b/g) ?? [];
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((port) => !ports.has(port))).toEqual([]);
});
