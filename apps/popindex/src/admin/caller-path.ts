import path from 'node:path';

/**
 * Makes a path of the command line absolute. npm runs its scripts in the project's folder and
 * says in INIT_CWD where the caller was, which is what a relative path means.
 */
export function callerPath(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return path.resolve(environment['INIT_CWD'] ?? process.cwd(), file);
}
