import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** The files of .gitignore, for a copy of the project on a machine without git. */
const IGNORED = /^(\.git|node_modules|dist|\.data|coverage)$|\.log$/;

export interface ProjectFile {
  /** Relative to the project's folder, with slashes. */
  readonly name: string;
  readonly text: string;
}

function walk(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.test(entry.name)) return [];
    const name = path.posix.join(folder, entry.name);
    return entry.isDirectory() ? walk(name) : [name];
  });
}

/** Committed files and those that could be: everything that is not ignored. */
export function projectPaths(): string[] {
  if (!existsSync(path.join(ROOT, '.git'))) return walk('');
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const output = execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
    const listed = output.toString('utf8').split('\0').filter(Boolean);
    return [...new Set(listed)].filter((name) => existsSync(path.join(ROOT, name)));
  } catch {
    return walk('');
  }
}

/** Every text file of the project; a file that holds a zero byte is none. */
export function projectFiles(): ProjectFile[] {
  return projectPaths().flatMap((name) => {
    const text = readFileSync(path.join(ROOT, name), 'utf8');
    return text.includes('\0') ? [] : [{ name, text }];
  });
}

export function isTypeScript({ name }: ProjectFile): boolean {
  return name.endsWith('.ts');
}

/** Code that ships, as opposed to tests and their fixtures. */
export function isShipped({ name }: ProjectFile): boolean {
  return /^(apps|libs)\/[^/]+\/src\//.test(name) && !/\.(spec|suite)\.ts$/.test(name);
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\(?\s*['"]([^'"]+)['"]/g;

/** Imports of a file: packages as they are, own files as paths from the project's folder. */
export function importsOf({ name, text }: ProjectFile): string[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? '';
    const library = /^#([^/]+)\/(.*)$/.exec(specifier);
    if (library !== null) return `libs/${library[1]}/src/${library[2]}`;
    if (!specifier.startsWith('.')) return specifier;
    return path.posix.join(path.posix.dirname(name), specifier);
  });
}
