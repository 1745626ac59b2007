// node bin/built.mjs <program> [arguments]: set up what is missing, then run a program of the
// build.
import { existsSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root, setUp } from './set-up.mjs';

// npm runs scripts in the project's folder and passes the caller's; without npm the same holds.
if (process.cwd() !== root) {
  process.env.INIT_CWD = process.cwd();
  process.chdir(root);
}
const [program] = process.argv.splice(2, 1);
if (program === undefined) fail('It takes a program of the build, such as bench/main.js.', 2);
await setUp();
const main = path.join(root, 'dist', program);
if (!existsSync(main)) fail(`The build holds no ${path.relative(root, main)}.`, 2);
process.argv[1] = main;
Module.enableCompileCache?.(path.join(root, 'dist', '.compile-cache'));
await import(pathToFileURL(main).href);
