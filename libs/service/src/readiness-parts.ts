import type { PartState, Readiness } from '#web/readiness.js';
import type { Foundations } from './foundations.js';

/** Asks one part whether it can serve. What it throws is why it cannot. */
export type AskPart = () => PartState | Promise<PartState>;

const ANSWER_MS_MAX = 2_000;

function late(): Promise<PartState> {
  return new Promise((resolve) => {
    const detail = `No answer within ${ANSWER_MS_MAX} ms.`;
    setTimeout(() => resolve({ ready: false, detail }), ANSWER_MS_MAX).unref();
  });
}

async function ask(part: AskPart): Promise<PartState> {
  try {
    return await Promise.race([part(), late()]);
  } catch (error) {
    return { ready: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** All parts together: ready when each of them is. */
export function readinessOf(parts: Readonly<Record<string, AskPart>>): Readiness {
  return async () => {
    const names = Object.keys(parts);
    const states = await Promise.all(Object.values(parts).map(ask));
    return {
      ready: states.every(({ ready }) => ready),
      parts: Object.fromEntries(states.map((state, index) => [names[index], state])),
    };
  };
}

/** The parts that every process has. */
export function foundationParts({ pool, clock }: Foundations): Record<string, AskPart> {
  return {
    database: async () => {
      await pool.query('select');
      return { ready: true };
    },
    clock: () => clock.ready(),
  };
}
