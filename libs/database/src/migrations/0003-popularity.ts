import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOAD = `
create table release_load (
  load int primary key check (load > 0),
  sha256 text not null,
  loaded_at timestamptz not null default clock_timestamp()
)`;

// A category is numbered in the order of a walk through the tree: those below it, and itself, are
// the ones numbered from its first to its last.
const CATEGORY = `
create table release_category (
  load int not null,
  first int not null,
  last int not null,
  level smallint not null check (level between 1 and 5),
  id uuid not null,
  parent_id uuid,
  label text collate "C" not null,
  slug text collate "C" not null,
  life_cycle text,
  primary key (load, id),
  unique (load, level, slug),
  unique (load, first)
)`;

const BRAND = `
create table release_brand (
  load int not null,
  id uuid not null,
  label text collate "C" not null,
  primary key (load, id)
)`;

const BRAND_CATEGORY = `
create table release_brand_category (
  load int not null,
  category int not null,
  brand uuid not null,
  primary key (load, category, brand)
)`;

const RELATION = `
create table release_relation (
  load int not null,
  category int not null,
  group_name text collate "C" not null,
  related uuid not null,
  primary key (load, group_name, category, related)
)`;

// One row for a whole series, as it is always read whole; volumes are in ten-thousandths.
const SERIES = `
create table release_series (
  load int not null,
  item uuid not null,
  region text collate "C" not null,
  months date[] not null,
  google bigint[] not null,
  tiktok bigint[] not null,
  instagram bigint[] not null,
  primary key (load, item, region)
)`;

const FIGURE = `
create table release_figure (
  load int not null,
  item uuid not null,
  region text collate "C" not null,
  popularity numeric not null,
  yoy_percent_increase numeric,
  yoy_absolute_increase numeric,
  qoq_percent_increase numeric,
  qoq_absolute_increase numeric,
  mom_percent_increase numeric,
  mom_absolute_increase numeric,
  google_share_percent numeric,
  tiktok_share_percent numeric,
  instagram_share_percent numeric,
  primary key (load, region, item)
)`;

/**
 * The popularity data. Every row belongs to a load, the number under which one import wrote; a
 * load is visible only once the log holds the event that publishes it.
 */
export class Popularity implements MigrationInterface {
  readonly name = 'Popularity1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    const tables = [LOAD, CATEGORY, BRAND, BRAND_CATEGORY, RELATION, SERIES, FIGURE];
    for (const table of tables) await runner.query(table);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only add: releases are kept for ever.');
  }
}
