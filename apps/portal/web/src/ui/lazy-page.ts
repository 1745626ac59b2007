import { lazy, type ComponentType } from 'react';

const PAUSE_MS = 2_000;
/** A page that cannot be fetched after a reload either is broken: more reloads would not end. */
const RELOAD_EVERY_MS = 60_000;
const RELOADED = 'popindex-reloaded';

/** True if the service sends the page that is open, and so everything that belongs to it. */
async function isServing(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Reloads the page; false: it was reloaded a moment ago. */
function reload(): boolean {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(RELOADED)) < RELOAD_EVERY_MS) return false;
  sessionStorage.setItem(RELOADED, String(now));
  location.reload();
  return true;
}

/**
 * Code that could not be fetched: waits until the service is there again, and reloads the page.
 * A browser may keep half of what failed, and a newer build has replaced the file.
 */
async function recover(error: unknown): Promise<never> {
  while (!(await isServing())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (!reload()) throw error;
  // The page is about to go.
  return new Promise<never>(() => undefined);
}

/** Fetches a part of the pages, through an outage of the service. Throws if it is not there. */
export async function fetchCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    return recover(error);
  }
}

/** A page whose code comes when it is opened, or when somebody is about to. */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) {
  let missed: unknown;
  const needed = async (): Promise<{ default: ComponentType }> => {
    if (missed !== undefined) await recover(missed);
    return { default: (await fetchCode(load))[name] };
  };
  // What cannot be fetched ahead is fetched when it is needed.
  const preload = async (): Promise<void> => {
    await load().catch((error: unknown) => {
      missed = error;
    });
  };
  return Object.assign(lazy(needed), { preload });
}
