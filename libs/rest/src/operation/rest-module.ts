import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Foundation } from '#web/foundation.js';
import { FoundationModule } from '#web/foundation.module.js';
import type { Telemetry } from '#web/telemetry.js';
import { changeHandler } from './change-command.js';

/** Content of a server of operations. */
export interface RestContent {
  readonly controllers: Type[];
  /** Absent: it serves nothing but its controllers. */
  readonly foundation?: Omit<Foundation, 'telemetry'>;
  readonly telemetry: Telemetry | undefined;
  /** Values whose life cycle is that of the server. */
  readonly providers?: Provider[];
}

/** The Nest module of a server of operations: every change goes through its command bus. */
export function restModule(content: RestContent): DynamicModule {
  const { controllers, foundation, telemetry, providers = [] } = content;
  return {
    module: class RestModule {},
    imports: [
      CqrsModule.forRoot(),
      ...(foundation ? [FoundationModule.register({ ...foundation, telemetry })] : []),
    ],
    controllers,
    providers: [changeHandler(telemetry), ...providers],
  };
}
