import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PAGE_QUERY } from '#web/query.js';
import { negotiate, NO_STORE, sendJson } from '#web/table-answer.js';
import { uuidField } from '#web/body-fields.js';
import { readPath, readQuery } from '#rest/operation/request-parameters.js';
import { accountOf } from '#rest/portal-sessions/signed-in.js';
import { Catalog } from '#rest/catalog/catalog.js';
import { FreeViews } from '#rest/catalog/free-views.js';

const PATH_LENGTH_MAX = 2_000;
const SEARCH_LENGTH_MAX = 100;

const viewQuery = z.strictObject({ path: z.string().max(PATH_LENGTH_MAX) });
const brandsQuery = z.strictObject({
  ...PAGE_QUERY,
  search: z
    .string()
    .max(SEARCH_LENGTH_MAX)
    .regex(/^[^\p{Cc}]*$/u, 'No control characters')
    .optional(),
  category_id: uuidField.optional(),
  brand_id: uuidField.optional(),
});

/** What there is to ask for, and what the account has paid to see. */
@Controller('portal/v1')
export class DataController {
  constructor(
    @Inject(FreeViews) private readonly views: FreeViews,
    @Inject(Catalog) private readonly catalog: Catalog,
  ) {}

  @Get('views')
  async view(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    negotiate(request, ['application/json']);
    const { path } = readQuery(request, viewQuery).query;
    const text = await this.views.look(accountOf(request), path);
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', NO_STORE)
      .send(text);
  }

  @Get('catalog')
  async all(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    readPath(request);
    sendJson(request, reply, await this.catalog.view(accountOf(request)));
  }

  @Get('catalog/brands')
  async brands(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { query } = readQuery(request, brandsQuery);
    const { search = null, after = null, limit } = query;
    const { category_id: categoryId = null, brand_id: brandId = null } = query;
    const filter = { search, categoryId, brandId, after, limit };
    sendJson(request, reply, await this.catalog.brands(accountOf(request), filter));
  }
}
