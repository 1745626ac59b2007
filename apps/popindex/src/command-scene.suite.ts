import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for the files of a command, and what it prints. */
export interface CommandScene {
  /** Of the running test. */
  readonly printed: string;
  readonly at: (name: string) => string;
  /** Writes a file, a text as it is and all else as JSON; its path. */
  readonly file: (name: string, content: unknown) => Promise<string>;
}

/** The scene of a spec; to be called at its top, because it has hooks. */
export function commandScene(): CommandScene {
  let folder = '';
  let printed = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'command-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(() => {
    printed = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  const at = (name: string): string => path.join(folder, name);
  return {
    get printed() {
      return printed;
    },
    at,
    async file(name, content) {
      await writeFile(at(name), typeof content === 'string' ? content : JSON.stringify(content));
      return at(name);
    },
  };
}
