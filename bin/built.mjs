// node bin/built.mjs <program> [arguments]: set up what is missing, then run a program of the build.
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
const [program] = process.argv.splice(2, 1);
const main = path.join(root, 'dist', program);
process.argv[1] = main;
Module.enableCompileCache?.(path.join(root, 'dist', '.compile-cache'));
await import(pathToFileURL(main).href);
