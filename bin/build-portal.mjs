// node bin/build-portal.mjs [--watch]: the browser's side of the portal, built where it is stale.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFresh, PORTAL_BUILD, stamped } from './stamps.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = path.join(root, 'apps', 'portal', 'web');
const OUTPUT = path.join(root, 'dist', 'portal');

/** Without it a module of Node.js would be left out, and the page that needs it would break. */
const forBrowsers = {
  name: 'for-browsers',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id.startsWith('node:')) this.error(`No browser has ${id}, which ${importer} imports.`);
  },
};

const STYLES = path.join(SOURCES, 'src', 'theme', 'mantine.css');

/** Without its styles a component would be there and look broken. */
const withStyles = {
  name: 'with-styles',
  generateBundle(_, bundle) {
    const styles = readFileSync(STYLES, 'utf8');
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    for (const id of modules) {
      const name = /@mantine\/core\/.*\/(\w+)\.module\b/.exec(id)?.[1];
      if (name !== undefined && !styles.includes(`/${name}.css'`)) {
        this.error(`The pages use ${name}, whose styles ${STYLES} does not import.`);
      }
    }
  },
};

async function build(watch) {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    root: SOURCES,
    // The server writes the base path into the page; files find each other beside themselves.
    base: './',
    plugins: [forBrowsers, withStyles],
    logLevel: watch ? 'info' : 'warn',
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      outDir: OUTPUT,
      emptyOutDir: true,
      target: 'es2022',
      // Inlined images and fonts would need a weaker Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      watch: watch ? {} : null,
      rolldownOptions: {
        // Libraries mark their modules for servers that render React; there is none here.
        onLog: (level, log, handle) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
        },
      },
    },
  });
}

const unknown = process.argv.slice(2).find((argument) => argument !== '--watch');
if (unknown !== undefined) {
  process.stderr.write(`"${unknown}" is not known here: it takes --watch or nothing.\n`);
  process.exit(2);
}
const watch = process.argv.includes('--watch');
if (watch || !isFresh(PORTAL_BUILD)) await stamped(PORTAL_BUILD, () => build(watch));
