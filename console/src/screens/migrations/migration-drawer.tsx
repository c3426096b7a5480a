import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { Migration, MigrationFailure } from '../../lib/api/schemas.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { states } from './migrations-view.tsx'
import { migrationQuery } from './queries.ts'

interface MigrationDrawerProps {
  /** Nothing is open without it. */
  readonly version: string | undefined
  readonly onClose: () => void
}

/** A migration opened in place: its file, and where that differs the statements that ran. */
export function MigrationDrawer({ version, onClose }: MigrationDrawerProps) {
  return (
    <Drawer open={version !== undefined} onClose={onClose} title={`Migration ${version ?? ''}`}>
      {version && <OpenMigration version={version} />}
    </Drawer>
  )
}

function OpenMigration({ version }: { readonly version: string }) {
  const { data, error, refetch } = useQuery(migrationQuery(version))
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  const { migration, fileText, appliedText, failure } = data
  const { tone, about } = states[migration.state]
  const showsBoth = migration.state === 'changed' && appliedText !== null
  const text = fileText ?? appliedText
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <div className="grid gap-1">
        <p>
          <Dot tone={tone}>{migration.state}</Dot>
        </p>
        <p className="text-ink-2">{about}</p>
        {migration.path && <p className="mono wrap-anywhere text-ink-2">{migration.path}</p>}
      </div>
      {failure && <FailedAttempt failure={failure} />}
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 font-semibold">{fileText === null ? 'As it ran' : 'File'}</h2>
          {text !== null && (
            <Button size="small" onClick={() => saveFile(fileNameOf(migration), text, 'application/sql')}>
              Download
            </Button>
          )}
        </div>
        {migration.state === 'missing' && (
          <p className="text-ink-2">
            Put the file into <span className="mono">supabase/migrations</span> of the project and commit it: a database
            that has the migration takes it for applied.
          </p>
        )}
        {text === null ? (
          <p className="text-ink-2">The history has no statements of it.</p>
        ) : (
          <Code text={text} language="sql" copyLabel="Copy the SQL" />
        )}
      </section>
      {showsBoth && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">As it ran</h2>
          <Code text={appliedText} language="sql" copyLabel="Copy the SQL that ran" />
        </section>
      )}
    </div>
  )
}

/** As the project folder names it. */
const fileNameOf = ({ version, name }: Migration): string => `${version}_${name || 'migration'}.sql`

function FailedAttempt({ failure }: { readonly failure: MigrationFailure }) {
  const { path, place, statement, reason, at } = failure
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Last attempt</h2>
      <p className="wrap-anywhere text-danger">{reason}</p>
      <p className="wrap-anywhere text-ink-2">
        <span className="mono">{place === null ? path : `${path}:${place}`}</span> · <Time at={at} />
      </p>
      {statement !== null && <Code text={statement} language="sql" copyLabel="Copy the statement" />}
    </section>
  )
}
