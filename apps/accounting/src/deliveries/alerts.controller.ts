import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountLoader } from '#ledger/account-loader.js';
import { sendJson } from '#web/table-answer.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { pageQuery } from '../accounts/lists.js';
import { readQuery } from '#rest/operation/request-parameters.js';
import { DELIVERIES, type Deliveries } from '#deliveries/deliveries.js';

/** What an account's budgets have told, and whom. */
@Controller('admin/v1/accounts/:account_id/alerts')
export class AlertsController {
  constructor(
    @Inject(DELIVERIES) private readonly deliveries: Deliveries,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
  ) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query, ids } = readQuery(request, pageQuery, 'account_id');
    await knownAccount(this.loader, ids.account_id);
    const { after = null, limit } = query;
    sendJson(request, reply, await this.deliveries.alerts.list(ids.account_id, after, limit));
  }
}
