import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiate } from '#web/table-answer.js';
import { EXPORT_TYPES } from './export-types.js';
import { readExportRequest, readLiabilityRequest } from './export-query.js';
import { Exports } from './exports.js';
import { liabilityCsv, liabilityJson } from './liability-answer.js';
import { sendPieces } from './send-pieces.js';

/** What finance takes over at a month's end. */
@Controller('admin/v1/exports')
export class ExportsController {
  constructor(@Inject(Exports) private readonly exports: Exports) {}

  @Get('invoices')
  async invoices(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const asked = readExportRequest(request);
    const { mediaType, type, name } = EXPORT_TYPES[asked.format];
    negotiate(request, [mediaType]);
    const file = { type, name: name(asked.month) };
    await sendPieces(request, reply, file, await this.exports.invoices(asked));
  }

  @Get('credit-liability')
  async creditLiability(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const asked = readLiabilityRequest(request);
    const accepted = negotiate(request, ['application/json', 'text/csv']);
    const { final, batches } = await this.exports.creditLiability(asked);
    const isJson = accepted === 'application/json';
    const pieces = isJson ? liabilityJson(asked.month, final, batches) : liabilityCsv(batches);
    const name = `credit-liability-${asked.month}.${isJson ? 'json' : 'csv'}`;
    const type = isJson ? 'application/json; charset=utf-8' : EXPORT_TYPES.csv.type;
    await sendPieces(request, reply, { type, name }, pieces);
  }
}
