import {
  AccountingUnavailableError,
  type Charging,
  OutcomeUnknownError,
} from '#account/charging.js';
import type { ForwardedAnswer, ForwardedRequest, Forwarding } from './forwarding.js';
import type { Answer, ApiMessage, UnsettledCall } from './messages.js';

export type Request = Extract<ApiMessage, { readonly id: number }>;

export interface Answering {
  readonly charging: Charging;
  /** Absent: it takes nothing that is forwarded. */
  readonly forwarding?: Forwarding | undefined;
  readonly onUnsettled: (call: UnsettledCall) => void | Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Asks the port behind the server; what it throws becomes words that travel. Never throws. */
export async function answerRequest(request: Request, behind: Answering): Promise<Answer> {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'charge':
        return { kind: 'answer', id, outcome: await behind.charging.charge(request.request) };
      case 'quote':
        return { kind: 'answer', id, outcome: await behind.charging.quote(request.request) };
      case 'settle':
        await behind.onUnsettled(request.call);
        return { kind: 'settled', id };
      case 'forward':
        return { kind: 'forwarded', id, answer: await forward(request.request, behind) };
    }
  } catch (error) {
    return failure(request, error, behind);
  }
}

async function forward(
  request: ForwardedRequest,
  { forwarding }: Answering,
): Promise<ForwardedAnswer> {
  if (forwarding !== undefined) return forwarding.forward(request);
  throw new AccountingUnavailableError('This process takes nothing that is forwarded.');
}

function failure({ kind, id }: Request, error: unknown, { onFault }: Answering): Answer {
  if (error instanceof AccountingUnavailableError) {
    return {
      kind: 'unavailable',
      id,
      retryAfterSeconds: error.retryAfterSeconds,
      detail: error.message,
    };
  }
  if (error instanceof OutcomeUnknownError) return { kind: 'unknown', id };
  onFault(error);
  // Nobody knows how far an unforeseen error let a charge come; it counts as charged until settled.
  if (kind === 'charge') return { kind: 'unknown', id };
  return { kind: 'unavailable', id, retryAfterSeconds: 1, detail: 'An error nobody foresaw.' };
}
