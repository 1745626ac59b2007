// npm start [api | accounting], npm run popindex -- <command>: set up what is missing, then serve.
import { existsSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root, setUp } from './set-up.mjs';

const APPS = ['api', 'accounting', 'popindex'];

const SETTINGS = 'Settings are environment variables, see docs/settings.md.';

const HELP = `Usage: node bin/start.mjs [api | accounting | popindex <command>]

Installs and builds what is missing, then serves everything in one process; with a name, one side of
split processes, or a command: node bin/start.mjs popindex --help.
${SETTINGS}
`;

function isHelp(word) {
  return word === '--help' || word === '-h';
}

/** The first argument names the app; without one it is everything in one process. */
function takeApp() {
  const [first, second] = process.argv.slice(2);
  if (first === undefined) return 'standalone';
  if (isHelp(first) || (first !== 'popindex' && isHelp(second))) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  if (!APPS.includes(first)) fail(`"${first}" is none of: ${APPS.join(', ')}. ${SETTINGS}`, 2);
  if (first !== 'popindex' && second !== undefined) {
    fail(`"${second}": ${first} takes no arguments. ${SETTINGS}`, 2);
  }
  process.argv.splice(2, 1);
  return first;
}

const app = takeApp();
// npm runs scripts in the project's folder and passes the caller's; without npm the same holds.
if (process.cwd() !== root) {
  process.env.INIT_CWD = process.cwd();
  process.chdir(root);
}
await setUp();
const main = path.join(root, 'dist', 'apps', app, 'src', 'main.js');
if (!existsSync(main)) fail(`The build holds no ${path.relative(root, main)}.`);
process.argv[1] = main;
Module.enableCompileCache?.(path.join(root, 'dist', '.compile-cache'));
await import(pathToFileURL(main).href);
