import type { ReadinessState, Readiness } from '#web/readiness.js';
import { Channel, type Answers } from '#workers/channel.js';
import { processPort } from '#workers/process-port.js';

const ANSWER_MS_MAX = 2_000;

/** The process that started this one, as a worker sees it. */
export class Primary {
  private readonly channel: Channel;

  /** `answers`: how this worker answers what the primary asks. Throws outside a worker. */
  constructor(answers: Answers) {
    const send = process.send?.bind(process);
    if (send === undefined) throw new Error('This process is no worker.');
    const port = processPort(process, (message) => send(message, undefined, {}, () => undefined));
    this.channel = new Channel(port, answers);
  }

  ask<Answer>(name: string, body?: unknown): Promise<Answer> {
    return this.channel.ask(name, body);
  }

  /** This worker and what it shares with the others: a part is ready where both sides say so. */
  readiness(own: Readiness): Readiness {
    return async () => {
      const [mine, shared] = await Promise.all([own(), this.sharedState()]);
      const parts = { ...shared.parts };
      for (const [name, state] of Object.entries(mine.parts)) {
        if (parts[name]?.ready !== false) parts[name] = state;
      }
      const warnings = [...new Set([...(mine.warnings ?? []), ...(shared.warnings ?? [])])];
      return { ready: mine.ready && shared.ready, parts, warnings };
    };
  }

  private async sharedState(): Promise<ReadinessState> {
    const late = new Promise<ReadinessState>((resolve) => {
      const detail = `No answer within ${ANSWER_MS_MAX} ms.`;
      const state = { ready: false, parts: { primary: { ready: false, detail } } };
      setTimeout(() => resolve(state), ANSWER_MS_MAX).unref();
    });
    return Promise.race([this.channel.ask<ReadinessState>('readiness'), late]);
  }
}
