import { onTestFinished } from 'vitest'
import type { MaskList } from '../src/ground/privacy/masks.ts'
import { compile } from '../src/ground/sql/postgres.ts'
import { sql } from '../src/ground/sql/sql.ts'
import type { AskedAs } from '../src/services/rest/why/caller.ts'
import { createWhy, type KeptRequest } from '../src/services/rest/why/why.ts'
import type { TestDatabase } from './harness.ts'
import { openRestApp } from './rest-app.ts'

/** Users of the application. */
export const ana = 'a0000000-0000-4000-8000-000000000001'
export const ben = 'b0000000-0000-4000-8000-000000000002'
export const asAna: AskedAs = { kind: 'user', user: ana }
export const anon: AskedAs = { kind: 'anon' }

const world = `
  create table public.notes (
    id int primary key,
    owner uuid references auth.users,
    team text,
    status text,
    hidden boolean not null default false
  );
  create index notes_owner on public.notes (owner);
  alter table public.notes enable row level security;
  grant all on public.notes to anon, authenticated, service_role;
  insert into public.notes values
    (1, '${ana}', 'red', 'Shipped', false), (2, '${ben}', 'blue', 'Shipped', false), (3, null, null, 'open', true);`

export const ofAna: KeptRequest = {
  ...{ service: 'rest', method: 'GET', path: '/rest/v1/notes', query: 'select=*' },
  ...{ role: 'authenticated', userId: ana, status: 200, errorCode: null, rows: 0 },
}

/** Three notes of two users under row security, and what explains questions about them. */
export async function openWhy(
  db: TestDatabase,
  script: string,
  kept: KeptRequest = ofAna,
  isNew = true,
  columns: MaskList['columns'] = [],
) {
  const users = [
    [ana, 'ana@example.test', 'red'],
    [ben, 'ben@example.test', 'blue'],
  ]
  for (const [id, email, team] of isNew ? users : [])
    await db.admin.query(
      compile(sql`
        insert into auth.users (id, email, role, aud, raw_app_meta_data, raw_user_meta_data, is_anonymous, is_sso_user)
        values (${id}, ${email}, 'authenticated', 'authenticated', ${JSON.stringify({ team })}, '{}', false, false)`),
    )
  if (isNew) await db.load(world)
  await db.load(script)
  const { rest, close } = await openRestApp(db)
  onTestFinished(close)
  return createWhy({
    ...{ rest, session: db.session, catalogues: db.authenticator, reader: db.reader, sql: db.admin, owner: db.owner },
    findRequest: async () => kept,
    loginRole: 'authenticator',
    sampleRows: 20,
    masks: { current: async () => ({ columns, properties: [] }) },
  })
}
