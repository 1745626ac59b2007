import { type DynamicModule, Module } from '@nestjs/common';
import { DocumentController } from './document.controller.js';
import { type Foundation, FOUNDATION } from './foundation.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProblemsController } from './problems.controller.js';

/** Routes that every HTTP application serves beside its own: health, problems, its document. */
@Module({})
export class FoundationModule {
  static register(foundation: Foundation): DynamicModule {
    return {
      module: FoundationModule,
      controllers: [HealthController, MetricsController, ProblemsController, DocumentController],
      providers: [{ provide: FOUNDATION, useValue: foundation }],
    };
  }
}
