import type { DiskState } from '../../lib/api/schemas.ts'
import { Bytes } from '../../ui/bytes.tsx'
import { Time } from '../../ui/time.tsx'

interface CleanUpProps {
  readonly run: DiskState['run']
  readonly hasRestorePoints: boolean
}

/** What is deleted when, and the latest clean-up: what it is doing, or what it freed. */
export function CleanUp({ run, hasRestorePoints }: CleanUpProps) {
  return (
    <section aria-label="Clean-up" className="grid shrink-0 gap-2 p-4">
      <h2 className="font-semibold">Clean-up</h2>
      <p className="max-w-[80ch] text-ink-2">
        Once a day what is past its days is deleted, and of a kind above its budget the oldest. Budgets and days are
        settings of [disk], [replay], [thread] and [issues] in clew.toml.
      </p>
      {hasRestorePoints && (
        <p className="max-w-[80ch] text-ink-2">
          Restore points of upgrades go by themselves after their days; <code className="mono">clew upgrade list</code>{' '}
          names them, and <code className="mono">clew upgrade prune</code> with a name removes one now.
        </p>
      )}
      {run === null ? <p>There was none yet.</p> : <Run run={run} />}
    </section>
  )
}

function Run({ run }: { readonly run: NonNullable<DiskState['run']> }) {
  const { beganAt, endedAt, doing, freed, error } = run
  const bytes = freed.reduce((sum, each) => sum + each.bytes, 0)
  return (
    <>
      <p>
        {endedAt === null ? (
          error === null && <>It is under way{doing !== null && <>: deleting {doing}</>}.</>
        ) : (
          <>
            The last one was <Time at={beganAt} /> and{' '}
            {freed.length === 0 ? (
              'had nothing to delete'
            ) : (
              <>
                freed <Bytes value={bytes} />
              </>
            )}
            .
          </>
        )}
      </p>
      {error !== null && (
        <p role="alert" className="wrap-anywhere max-w-[80ch] text-danger">
          It failed, and is tried again: {error}
        </p>
      )}
      {freed.length > 0 && (
        <ul aria-label="What was deleted" className="grid gap-1">
          {freed.map(({ what, bytes: each }) => (
            <li key={what} className="flex gap-3">
              <span className="mono">{what}</span>
              <span className="text-ink-2">
                <Bytes value={each} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
