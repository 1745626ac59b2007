import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string }[];
}

function isForDevelopment({ properties }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development');
}

test('npm run sbom lists the packages that the service runs on, as they are pinned', async () => {
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], options);
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string;
    readonly components: readonly Component[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const text = readFileSync(path.join(ROOT, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(text) as Record<
    string,
    Record<string, string>
  >;
  const shipped = components.filter((component) => !isForDevelopment(component));
  const listed = new Set(shipped.map(({ name, version }) => `${name}@${version}`));
  const pinned = Object.entries(dependencies ?? {}).map(([name, version]) => `${name}@${version}`);
  expect(pinned.filter((one) => !listed.has(one))).toEqual([]);
  expect(Object.keys(devDependencies ?? {})).toContain('jest');
  expect(shipped.map(({ name }) => name)).not.toContain('jest');
}, 60_000);
