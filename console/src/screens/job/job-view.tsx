import type { ReactNode } from 'react'
import type { Job, JobRun } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { RunStatus } from '../../thread/run-status.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'

interface JobProps {
  readonly job: Job
  readonly timeZone: string
  /** Absent while they are on their way. */
  readonly runs: GrowingList<JobRun> | undefined
  readonly openId: string | undefined
  readonly onOpen: (run: JobRun) => void
  readonly onEnd: () => void
  /** In place of the runs. */
  readonly problem?: ReactNode
}

const columns: readonly TableColumn<JobRun>[] = [
  {
    id: 'at',
    title: 'Started',
    width: 124,
    cell: ({ startedAt }) =>
      startedAt ? (
        <Time at={startedAt} look="clock" className="mono text-ink-2" />
      ) : (
        <span className="text-ink-2">waiting</span>
      ),
  },
  { id: 'status', title: 'Status', width: 104, cell: (run) => <RunStatus run={run} /> },
  {
    id: 'message',
    title: 'Message',
    cell: ({ message, status }) => (
      <span className={status === 'failed' ? 'mono text-danger' : 'mono text-ink-2'} title={message ?? undefined}>
        {message ?? '–'}
      </span>
    ),
  },
  {
    id: 'duration',
    title: 'Duration',
    width: 92,
    align: 'right',
    from: 'narrow',
    cell: ({ durationMs }) =>
      durationMs === null ? <span className="text-ink-3">–</span> : <Duration ms={durationMs} />,
  },
]

/** A job with its runs. */
export function JobView({ job, timeZone, runs, openId, onOpen, onEnd, problem }: JobProps) {
  return (
    <>
      <section aria-label="Schedule and SQL" className="grid shrink-0 gap-3 border-line border-b p-4 sheet:grid-cols-2">
        <Facts>
          <Fact name="Schedule">
            {job.scheduleWords ?? <span className="text-danger">not a schedule: never runs</span>}
          </Fact>
          <Fact name="As written">
            <span className="mono">{job.schedule}</span> <span className="text-ink-2">{timeZone}</span>
          </Fact>
          <Fact name="Next run">
            {job.nextRunAt ? (
              <Time at={job.nextRunAt} />
            ) : (
              <span className="text-ink-2">{job.active ? '–' : 'paused'}</span>
            )}
          </Fact>
          <Fact name="Runs as">
            <span className="mono">{job.owner}</span>
          </Fact>
          <Fact name="Database">
            <span className="mono">{job.database}</span>
          </Fact>
        </Facts>
        {job.command !== null && (
          <Code
            text={job.command}
            language="sql"
            copyLabel="Copy the SQL"
            className="max-h-48 self-start overflow-y-auto"
          />
        )}
      </section>
      {problem ??
        (runs === undefined ? (
          <SkeletonRows />
        ) : runs.items.length === 0 ? (
          <Empty title="This job has not run yet.">
            <p>Each run appears here with its result, its duration and the rows it changed.</p>
          </Empty>
        ) : (
          <Table
            label="Runs"
            columns={columns}
            rows={runs.items}
            rowKey={({ runId }) => runId}
            onOpen={onOpen}
            openKey={openId}
            onEnd={onEnd}
          />
        ))}
    </>
  )
}
