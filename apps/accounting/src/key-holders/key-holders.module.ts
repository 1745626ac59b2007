import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PUBLIC } from '#rest/operation/interfaces.js';
import { routesOf } from '#rest/operation/routes.js';
import { PUBLIC_RESOURCES } from '#rest/resources.js';
import type { AdminDependencies } from '../admin/admin-dependencies.js';
import { accountingProviders } from '../admin/admin.module.js';
import { accountOf, KeyHolderAuthenticator } from './key-holder-authenticator.js';

const { forwarded } = PUBLIC_RESOURCES;

/** Requests of API keys' holders that API processes forward. */
@Module({})
export class KeyHoldersModule {
  static register(dependencies: AdminDependencies): DynamicModule {
    return {
      module: KeyHoldersModule,
      imports: [CqrsModule.forRoot()],
      controllers: forwarded.map((one) => routesOf(PUBLIC, one, accountOf)),
      providers: [...accountingProviders(forwarded, dependencies), KeyHolderAuthenticator],
    };
  }
}
