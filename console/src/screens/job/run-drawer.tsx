import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { CausedList } from '../../thread/caused-list.tsx'
import { ChangeList } from '../../thread/change-list.tsx'
import { changesOfQuery } from '../../thread/queries.ts'
import { RunStatus } from '../../thread/run-status.tsx'
import { SendList } from '../../thread/send-list.tsx'
import { UndoButton } from '../../thread/undo/undo-button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { jobRunQuery } from './queries.ts'

interface RunDrawerProps {
  readonly jobId: string
  /** Nothing is open without it. */
  readonly runId: string | undefined
  readonly onClose: () => void
}

/** A run of a job opened in place: its result, the SQL, the rows it changed. */
export function RunDrawer({ jobId, runId, onClose }: RunDrawerProps) {
  return (
    <Drawer open={runId !== undefined} onClose={onClose} title={`Run ${runId ?? ''}`}>
      {runId && <OpenRun jobId={jobId} runId={runId} />}
    </Drawer>
  )
}

function OpenRun({ jobId, runId }: { readonly jobId: string; readonly runId: string }) {
  const { data, error, refetch } = useQuery(jobRunQuery(jobId, runId))
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  const { run, command, owner, causeId } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      <div className="grid gap-2">
        <p className="flex flex-wrap items-baseline gap-x-3 text-ink-2">
          <RunStatus run={run} />
          {run.durationMs !== null && <Duration ms={run.durationMs} />}
          {run.startedAt && <Time at={run.startedAt} look="clock" />}
          <span>
            as <span className="mono">{owner}</span>
          </span>
        </p>
        {run.message && <Code text={run.message.trim()} copyLabel="Copy the message" />}
      </div>
      {command !== null && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">SQL</h2>
          <Code text={command} language="sql" copyLabel="Copy the SQL" />
        </section>
      )}
      {causeId && <Effects causeId={causeId} />}
    </div>
  )
}

function Effects({ causeId }: { readonly causeId: string }) {
  const { data, error, refetch } = useQuery(changesOfQuery(causeId))
  return (
    <>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex items-baseline justify-between gap-2">
          <h2 className="font-semibold">
            Rows changed{' '}
            {data && data.changes.length > 0 && (
              <span className="tabular font-normal text-ink-2">
                {data.changes.length}
                {data.more && '+'}
              </span>
            )}
          </h2>
          {data && !data.more && <UndoButton title="Undo what this run changed" changes={data.changes} />}
        </div>
        {error ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <SkeletonRows rows={3} />
        ) : data.changes.length > 0 ? (
          <ChangeList changes={data.changes} />
        ) : (
          <p className="text-ink-2">
            No changed rows are recorded. A command that begins or ends transactions itself (call, begin) is not
            followed.
          </p>
        )}
      </section>
      {data && data.sends.length > 0 && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">Sent</h2>
          <SendList sends={data.sends} />
        </section>
      )}
      {data && data.caused.length > 0 && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">Called</h2>
          <CausedList requests={data.caused} />
        </section>
      )}
    </>
  )
}
