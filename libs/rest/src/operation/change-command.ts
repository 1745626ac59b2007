import type { Type } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { errorProblem } from '#web/error-problem.js';
import type { Telemetry } from '#web/telemetry.js';
import type { ChangeRequest, Operation, Outcome } from './operation.js';

/** A change on its way through the command bus: its operation, service and request. */
export class ChangeCommand extends Command<Outcome<unknown>> {
  constructor(
    readonly operation: Operation,
    readonly service: unknown,
    readonly asked: ChangeRequest,
  ) {
    super();
  }
}

/**
 * A handler of the command bus. Every change of every interface comes through it, once: it gets its
 * reason, and is counted.
 */
export function changeHandler(
  telemetry: Pick<Telemetry, 'countChange'> | undefined,
): Type<ICommandHandler<ChangeCommand>> {
  @CommandHandler(ChangeCommand)
  class ChangeHandler implements ICommandHandler<ChangeCommand> {
    async execute({ operation, service, asked }: ChangeCommand): Promise<Outcome<unknown>> {
      try {
        const outcome = await operation.run(service, withReason(asked));
        telemetry?.countChange(operation.id, outcome.replayed === true ? 'replayed' : 'made');
        return outcome;
      } catch (error) {
        const { slug } = errorProblem(error, asked.request.url);
        telemetry?.countChange(operation.id, slug);
        throw error;
      }
    }
  }
  return ChangeHandler;
}

/** The reason is the one member that bodies of all changes have in common. */
function withReason(asked: ChangeRequest): ChangeRequest {
  const { reason } = Object(asked.body) as { readonly reason?: unknown };
  if (typeof reason !== 'string') return asked;
  return { ...asked, change: { ...asked.change, reason } };
}
