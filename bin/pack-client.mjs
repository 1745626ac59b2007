// npm run pack-client -- DIR: the package @popindex/client as a tarball in DIR, with types for the
// regions of REGIONS and the sources of SOURCES.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root, setUp } from './set-up.mjs';

const LIBRARY = path.join(root, 'libs', 'client');
const SOURCES = path.join(root, 'dist', 'client', 'sources');
const PACKAGE = path.join(root, 'dist', 'client', 'package');
const ANYWHERE = 'http://localhost';

/** Browsers have no more than this: a module of Node.js would not compile. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  declaration: true,
  rootDir: SOURCES,
};
/** Folders of the package for what says `import` and what says `require`, as Jest does. */
const BUILDS = { module: '.', commonjs: 'cjs' };

function run(command, args, options) {
  const { status, stdout, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) fail(`${command} failed: ${error?.message ?? stdout}`);
  return stdout;
}

async function built(name) {
  return import(pathToFileURL(path.join(root, 'dist', name)).href);
}

/** The modules of the library, and those that follow from the documents of the service. */
async function writeSources() {
  await import('reflect-metadata');
  const { apiDocument } = await built('apps/api/src/openapi/api-document.js');
  const { adminDocument } = await built('libs/admin-backend/src/admin-document.js');
  const { sharedComponents } = await built('libs/web/src/shared-components.js');
  const { serveRegions } = await built('libs/popularity/src/regions.js');
  const { serveSources } = await built('libs/popularity/src/sources.js');
  if (process.env.REGIONS) serveRegions(process.env.REGIONS.split(','));
  if (process.env.SOURCES) serveSources(process.env.SOURCES.split(','));
  const { packageTexts } = await built('libs/client/generator/package-texts.js');
  const own = readdirSync(path.join(LIBRARY, 'src')).filter((name) => !name.endsWith('.spec.ts'));
  for (const name of own) copyFileSync(path.join(LIBRARY, 'src', name), path.join(SOURCES, name));
  const documents = [apiDocument, adminDocument].map((of) => sharedComponents(of(ANYWHERE)));
  const texts = packageTexts(...documents);
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(SOURCES, name), text);
}

/** Compiles for one kind of modules. What stands in a folder is of the kind that its package is. */
function compile(type, folder) {
  const outDir = path.join(PACKAGE, folder);
  const config = path.join(SOURCES, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, outDir } }));
  writeFileSync(path.join(SOURCES, 'package.json'), JSON.stringify({ type }));
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [compiler, '-p', config]);
  writeFileSync(path.join(outDir, 'package.json'), JSON.stringify({ type }));
}

function describePackage() {
  const { version, license, engines } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const manifest = {
    name: '@popindex/client',
    version,
    description: 'Client of the popularity-index data API and its administration',
    license,
    type: 'module',
    engines,
    sideEffects: false,
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': {
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
        default: { types: './index.d.ts', default: './index.js' },
      },
    },
  };
  writeFileSync(path.join(PACKAGE, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(path.join(LIBRARY, 'README.md'), path.join(PACKAGE, 'README.md'));
  copyFileSync(path.join(root, 'LICENSE'), path.join(PACKAGE, 'LICENSE'));
}

const [target, ...others] = process.argv.slice(2);
if (target === undefined || others.length > 0) fail('It takes the folder for the tarball.', 2);
const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), target);
await setUp();
for (const each of [SOURCES, PACKAGE]) {
  rmSync(each, { recursive: true, force: true });
  mkdirSync(each, { recursive: true });
}
await writeSources();
for (const [type, own] of Object.entries(BUILDS)) compile(type, own);
describePackage();
mkdirSync(folder, { recursive: true });
const name = run('npm', ['pack', '--silent', '--pack-destination', folder], {
  cwd: PACKAGE,
  shell: process.platform === 'win32',
});
process.stdout.write(`${path.join(folder, name.trim())}\n`);
