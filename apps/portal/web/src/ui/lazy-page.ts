import { lazy, type ComponentType } from 'react';

const TRIES_MAX = 6;
const PAUSE_MS = 2_000;

/** Tries again while the service is away. A build that has replaced the file fails in the end. */
async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      if (tries >= TRIES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** A page whose code comes when it is opened, or when somebody is about to. */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) {
  const page = lazy(async () => ({ default: (await loaded(load))[name] }));
  // What cannot be fetched ahead is fetched when it is needed.
  const preload = async (): Promise<void> => {
    await load().catch(() => undefined);
  };
  return Object.assign(page, { preload });
}
