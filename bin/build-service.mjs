// node bin/build-service.mjs: bundles the programs of the service, the benchmarks and the scripts.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { SERVICE_BUILD, stamped } from './stamps.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const OUTPUT = path.join(root, 'dist');
const CHUNKS = 'chunks';

/** Sources that are started or imported by their place in `dist`; others become parts of chunks. */
const PROGRAMS = [
  'apps/accounting/src/main',
  'apps/api/src/main',
  'apps/popindex/src/main',
  'apps/popindex/src/verify-receipts-thread',
  'apps/standalone/src/main',
  'libs/deciding/src/threads/decider-program',
  'libs/invoice-documents/src/render-thread',
  'libs/projections/src/lane-threads/lane-thread',
  'libs/projections/src/projection-thread/projection-program',
  'bench/bare-server',
  'bench/fill-log',
  'bench/fill/fill-worker',
  'bench/load/load-process',
  'bench/load/neighbour-process',
  'bench/main',
  'bench/torture/main',
  'bench/unmetered-api',
  'apps/api/src/openapi/api-document',
  'libs/admin-backend/src/admin-document',
  'libs/client/generator/operations-text',
  'libs/client/generator/package-texts',
  'libs/popularity/src/regions',
  'libs/popularity/src/sources',
  'libs/portal-backend/src/portal-document',
  'libs/web/src/settings-page',
  'libs/web/src/shared-components',
  'test/openapi/interface-documents',
];

/**
 * Packages that read files or start threads of their own, that are loaded only where they are
 * needed, or that an operator's own packages must share.
 */
const APART = [
  '@opentelemetry/api',
  'fontkit',
  'nodemailer',
  'pdfkit',
  'pino',
  'sodium-native',
  'typeorm',
];

/** A module finds what lies beside it, though it has become a part of another file. */
const places = {
  name: 'places',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return undefined;
    const file = path.relative(root, id).replaceAll('\\', '/').replace(/ts$/, 'js');
    const place = `import.meta.resolve('#dist/${file}')`;
    return { code: code.replaceAll('import.meta.url', place), map: null };
  },
};

async function bundlePrograms() {
  // A container is built without the benchmarks.
  const inputs = PROGRAMS.map((name) => [name, path.join(root, `${name}.ts`)]);
  const bundle = await rolldown({
    input: Object.fromEntries(inputs.filter(([, file]) => existsSync(file))),
    platform: 'node',
    tsconfig: path.join(root, 'tsconfig.json'),
    external: APART,
    // Without it `pg` looks for another runtime, for which Node.js 20 loads `fetch` in each thread.
    transform: { define: { navigator: '{ userAgent: "Node.js" }' } },
    plugins: [places],
    onLog(level, log, handle) {
      // Packages ask for others at run time that need not be there.
      if (log.code === 'UNRESOLVED_IMPORT' && log.message.includes('node_modules')) return;
      handle(level === 'warn' ? 'error' : level, log);
    },
  });
  const { output } = await bundle.write({
    dir: OUTPUT,
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name].js`,
    sourcemap: true,
    keepNames: true,
  });
  // What an earlier build left stays until now: another process may be starting from it.
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const name of readdirSync(path.join(OUTPUT, CHUNKS))) {
    if (!written.has(`${CHUNKS}/${name}`)) rmSync(path.join(OUTPUT, CHUNKS, name));
  }
}

/** A module of the build. */
const built = (name) => import(pathToFileURL(path.join(OUTPUT, name)).href);

/** Pages ask for the operations of the service by name: their types follow from its documents. */
async function writePagesTypes() {
  await import('reflect-metadata');
  const { adminDocument } = await built('libs/admin-backend/src/admin-document.js');
  const { portalDocument } = await built('libs/portal-backend/src/portal-document.js');
  const { sharedComponents } = await built('libs/web/src/shared-components.js');
  const { pagesTexts } = await built('libs/client/generator/operations-text.js');
  const documents = [adminDocument, portalDocument].map((of) => sharedComponents(of('')));
  mkdirSync(path.join(OUTPUT, 'pages'), { recursive: true });
  for (const [name, text] of Object.entries(pagesTexts(...documents))) {
    writeFileSync(path.join(OUTPUT, 'pages', name), text);
  }
}

await stamped(SERVICE_BUILD, async () => {
  await bundlePrograms();
  await writePagesTypes();
});
