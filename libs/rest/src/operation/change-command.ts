import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AskedChange, Operation, Outcome } from './operation.js';

/** A change on its way through the command bus: its operation, service and request. */
export class ChangeCommand extends Command<Outcome<unknown>> {
  constructor(
    readonly operation: Operation,
    readonly service: unknown,
    readonly asked: AskedChange,
  ) {
    super();
  }
}

/** Every change of every interface comes through here, once. */
@CommandHandler(ChangeCommand)
export class ChangeHandler implements ICommandHandler<ChangeCommand> {
  async execute({ operation, service, asked }: ChangeCommand): Promise<Outcome<unknown>> {
    const { reason } = Object(asked.body) as { readonly reason?: unknown };
    const change = typeof reason === 'string' ? { ...asked.change, reason } : asked.change;
    const reasoned: AskedChange = { ...asked, change };
    return operation.run(service, reasoned);
  }
}
