import type { Migration, MigrationsAnswer } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'

interface MigrationsProps {
  /** Absent while it is on its way. */
  readonly list: MigrationsAnswer | undefined
  readonly openVersion: string | undefined
  readonly onOpen: (migration: Migration) => void
}

/** How a state is drawn, and what it means. */
export const states: Readonly<Record<Migration['state'], { readonly tone: Tone; readonly about: string }>> = {
  applied: { tone: 'ok', about: 'The file and the database agree.' },
  changed: {
    tone: 'warn',
    about: 'The file was changed after it was applied; what it says now is not in the database.',
  },
  missing: { tone: 'warn', about: 'It was applied to this database, and its file is not in the project folder.' },
  pending: { tone: 'info', about: 'It is applied at the next start, or by clew migration up.' },
  failed: {
    tone: 'danger',
    about:
      'The last attempt to apply it failed. Correct the file: the next start, or clew migration up, tries it again.',
  },
  late: {
    tone: 'danger',
    about: 'It is older than one that was applied, so that the next start refuses it. Give it a newer version.',
  },
}

const columns: readonly TableColumn<Migration>[] = [
  { id: 'version', title: 'Version', width: 144, cell: ({ version }) => <span className="mono">{version}</span> },
  { id: 'name', title: 'Name', cell: ({ name, path }) => <span title={path ?? undefined}>{name || '–'}</span> },
  {
    id: 'state',
    title: 'State',
    width: 112,
    cell: ({ state }) => (
      <span title={states[state].about}>
        <Dot tone={states[state].tone}>{state}</Dot>
      </span>
    ),
  },
]

/** The migrations, the newest first, under a line that says what is to be done. */
export function MigrationsView({ list, openVersion, onOpen }: MigrationsProps) {
  if (list === undefined) return <SkeletonRows />
  const { folder, migrations } = list
  if (migrations.length === 0)
    return (
      <Empty title="No migrations yet.">
        <p>
          A migration is a file of SQL in supabase/migrations, applied once, in the order of the versions.
          {folder === null && ' This instance was started without a project folder: pass it with --project.'}
        </p>
        <Code text="clew migration new first_table" copyLabel="Copy the command" />
      </Empty>
    )
  return (
    <>
      <ToDo migrations={migrations} />
      <Table
        label="Migrations"
        columns={columns}
        rows={migrations}
        rowKey={({ version }) => version}
        onOpen={onOpen}
        openKey={openVersion}
      />
    </>
  )
}

/** The command to go on, where something is pending or drifted. */
function ToDo({ migrations }: { readonly migrations: readonly Migration[] }) {
  const count = (state: Migration['state']) => migrations.filter((each) => each.state === state).length
  const [pending, failed, late, drifted] = [
    count('pending'),
    count('failed'),
    count('late'),
    count('changed') + count('missing'),
  ]
  if (pending + failed + late + drifted === 0) return null
  return (
    <section aria-label="To do" className="grid shrink-0 gap-2 border-line border-b p-4">
      {failed > 0 && (
        <Step text={`${failed} failed: open it to see where, correct the file, and try again with`} tone="text-danger">
          clew migration up
        </Step>
      )}
      {pending > 0 && failed === 0 && (
        <Step text={`${pending} pending: the next start applies ${pending === 1 ? 'it' : 'them'}, or now:`}>
          clew migration up
        </Step>
      )}
      {late > 0 && (
        <p className="text-danger">
          {late} late: a newer one was applied before. The next start refuses; rename the file to a newer version.
        </p>
      )}
      {drifted > 0 && (
        <Step text={`${drifted} drifted: see how folder and database differ with`}>clew migration list</Step>
      )}
    </section>
  )
}

interface StepProps {
  readonly text: string
  readonly tone?: string
  /** The command. */
  readonly children: string
}

function Step({ text, tone, children }: StepProps) {
  return (
    <div className="grid max-w-[560px] gap-1">
      <p className={tone}>{text}</p>
      <Code text={children} copyLabel="Copy the command" />
    </div>
  )
}
