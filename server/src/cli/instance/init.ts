import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { instanceError } from '../../errors.ts'
import { localApiKeys } from '../../ground/jwt/api-keys.ts'
import { renderSnippets } from '../../ground/text/snippets.ts'
import { localIngestToken } from '../../instance/keys.ts'
import { instanceSettings, sections } from '../../settings/index.ts'
import { bold, faint, green, print } from '../print.ts'

/**
 * Writes a project folder: `supabase/config.toml`, a first migration, and the data directory's line in `.gitignore`.
 *
 * @throws CLEW_PROJECT_EXISTS where there is a `supabase/` folder; nothing is written then
 */
export async function init(folder: string, now: Date): Promise<number> {
  const supabase = join(folder, 'supabase')
  if (existsSync(supabase)) throw instanceError('CLEW_PROJECT_EXISTS', { message: `${supabase} exists already.` })
  const version = now.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const migration = join(supabase, 'migrations', `${version}_first.sql`)
  const ignored = join(folder, '.gitignore')
  await mkdir(join(supabase, 'migrations'), { recursive: true })
  await writeFile(join(supabase, 'config.toml'), `project_id = ${JSON.stringify(basename(folder))}\n`)
  await writeFile(migration, firstMigration)
  const before = await readFile(ignored, 'utf8').catch(() => '')
  if (!before.split('\n').includes('.clew/'))
    await appendFile(ignored, `${before === '' || before.endsWith('\n') ? '' : '\n'}.clew/\n`)

  const place = relative(process.cwd(), folder)
  for (const path of [join(supabase, 'config.toml'), migration, ignored])
    print(`  ${green('✓')} ${relative(process.cwd(), path)}`)
  print()
  print(`  Start it: ${bold(place === '' ? 'clew start' : `clew start --project ${place}`)}`)
  print(faint('  In the application, with @supabase/supabase-js and posthog-js:'))
  print()
  print(renderClients())
  return 0
}

const firstMigration = `-- A table of notes, which each signed-in user reads and writes for themselves alone.
create table public.notes (
  id bigint generated always as identity primary key,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  body text not null,
  created_at timestamptz not null default now()
);

alter table public.notes enable row level security;

create policy "notes are their user's" on public.notes
  for all to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
`

const url = `http://127.0.0.1:${instanceSettings.port.default}`

/** The two clients, with the public keys of local mode. */
function renderClients(): string {
  const { supabase, posthog } = renderSnippets({
    ...{ apiUrl: url, publishableKey: localApiKeys().publishableKey, ingestToken: localIngestToken },
    ingestPath: sections.analytics.path.default,
  })
  return `${supabase.code}\n\n${posthog.code}`.replaceAll(/^(?=.)/gm, '    ')
}
