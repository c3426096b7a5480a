import { runMigration } from '../src/instance/project/migrations/run-migration.ts'
import type { SchemaChange } from '../src/services/schema/change/change.ts'
import { schemaService } from '../src/services/schema/index.ts'
import { consoleApp } from './console-app.ts'
import type { TestDatabase } from './harness.ts'
import { recordedActions } from './operator-actions.ts'

const now = (): Date => new Date('2026-01-02T03:04:05Z')

/** The schema's part of the console's API, without a project folder. */
export async function openSchema(db: TestDatabase, role: 'owner' | 'developer' | 'analyst' = 'developer') {
  const { actions, log } = recordedActions(role)
  const { console: parts } = schemaService({
    catalogues: db.authenticator,
    reader: db.reader,
    ownerRole: 'postgres',
    actions,
    settings: { lockSeconds: 1, statementSeconds: 10 },
    runMigration: (migration, limits) =>
      runMigration({ folder: null, admin: db.admin, owner: db.owner, now }, migration, limits),
  })
  const call = await consoleApp(async (app) => {
    for (const part of parts) await app.register(part)
  })
  const apply = (...changes: readonly SchemaChange[]) => call('POST', '/schema/changes', { changes, name: null })
  const plan = (...changes: readonly SchemaChange[]) => call('POST', '/schema/plan', { changes })
  return { call, apply, plan, log }
}

/** Two tables with everything that can be defined on them. */
export const shop = `
  create type public.state as enum ('new', 'paid');
  create table public.customers (id bigint generated always as identity primary key, name text not null);
  create table public.orders (
    id bigint generated always as identity primary key,
    customer_id bigint not null references public.customers on delete cascade,
    state public.state not null default 'new',
    total numeric(10, 2) check (total >= 0),
    note text unique
  );
  comment on column public.orders.total is 'In euros';
  alter table public.orders enable row level security;
  create policy "own orders" on public.orders for select to authenticated using (total > 5);
  create index orders_state on public.orders (state) where total > 0;
  create function public.touch() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger touch before update on public.orders for each row execute function public.touch();
  create view public.open_orders as select id, total from public.orders where state = 'new';
  insert into public.customers (name) values ('Ann');
  insert into public.orders (customer_id, total) select 1, n from generate_series(1, 10) n;
  analyze public.orders;`
