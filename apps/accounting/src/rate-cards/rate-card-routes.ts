import type { Type } from '@nestjs/common';
import { DiffRateCardsHandler } from './diff-rate-cards.handler.js';
import { GetRateCardHandler } from './get-rate-card.handler.js';
import { ListRateCardsHandler } from './list-rate-cards.handler.js';
import { PreviewRateCardHandler } from './preview-rate-card.handler.js';
import { PublishRateCardHandler } from './publish-rate-card.handler.js';
import { RateCardsController } from './rate-cards.controller.js';

/** The routes about rate cards. */
export const RATE_CARD_CONTROLLERS: Type[] = [RateCardsController];

/** One handler for each command and query of these routes. */
export const RATE_CARD_HANDLERS: Type[] = [
  DiffRateCardsHandler,
  GetRateCardHandler,
  ListRateCardsHandler,
  PreviewRateCardHandler,
  PublishRateCardHandler,
];
