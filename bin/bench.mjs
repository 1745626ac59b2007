// npm run bench -- [names and options]: set up what is missing, then measure.
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from './set-up.mjs';

// npm runs scripts in the project's folder and tells the caller's; without npm the same holds.
if (process.cwd() !== root) {
  process.env.INIT_CWD = process.cwd();
  process.chdir(root);
}
await setUp();
const main = path.join(root, 'dist', 'bench', 'main.js');
process.argv[1] = main;
Module.enableCompileCache?.(path.join(root, 'dist', '.compile-cache'));
await import(pathToFileURL(main).href);
