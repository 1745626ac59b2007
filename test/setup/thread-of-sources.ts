import path from 'node:path';
import { pathToFileURL } from 'node:url';

function urlOf(file: string): string {
  return pathToFileURL(path.resolve(file)).href;
}

/** The program of a thread, from the sources as they are (a path): jest builds nothing. */
export function threadOfSources(source: string): URL {
  const hooks = urlOf('test/simulator/source-hooks.mjs');
  const program = [
    `import { register } from 'node:module';`,
    `register(${JSON.stringify(hooks)});`,
    `await import(${JSON.stringify(urlOf(source))});`,
  ];
  return new URL(`data:text/javascript,${encodeURIComponent(program.join('\n'))}`);
}
