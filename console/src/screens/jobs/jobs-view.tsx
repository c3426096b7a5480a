import { Link } from '@tanstack/react-router'
import { MissingExtension } from '../../frame/missing-extension.tsx'
import type { Job } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { RunStatus } from '../../thread/run-status.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'

interface JobsProps {
  /** Absent while it is on its way. */
  readonly page: (GrowingList<Job> & { readonly installed: boolean }) | undefined
  /** Narrows the list to jobs whose name, schedule or command has it. */
  readonly text: string
  readonly canChange: boolean
  readonly onText: (text: string) => void
  readonly onOpen: (job: Job) => void
  readonly onActive: (job: Job, active: boolean) => void
  readonly onEnd: () => void
}

const firstJob = `select cron.schedule('tidy', '30 3 * * *',
  $$delete from sessions where expires_at < now()$$);`

const columns = ({ canChange, onActive }: JobsProps): readonly TableColumn<Job>[] => [
  {
    id: 'name',
    title: 'Job',
    cell: ({ jobId, name, command }) => (
      <Link to="/jobs/$jobId" params={{ jobId }} title={command ?? undefined} className="hover:underline">
        {name ?? <span className="text-ink-2">job {jobId}</span>}
        {command !== null && (
          <span className="mono text-ink-2 max-sheet:hidden"> {command.replaceAll(/\s+/g, ' ')}</span>
        )}
      </Link>
    ),
  },
  {
    id: 'schedule',
    title: 'Schedule',
    width: 224,
    from: 'narrow',
    cell: ({ schedule, scheduleWords }) =>
      scheduleWords === null ? (
        <span className="text-danger" title={schedule}>
          not a schedule
        </span>
      ) : (
        <span title={schedule}>{scheduleWords}</span>
      ),
  },
  {
    id: 'next',
    title: 'Next run',
    width: 92,
    from: 'sheet',
    cell: ({ active, nextRunAt }) =>
      nextRunAt ? <Time at={nextRunAt} /> : <span className="text-ink-2">{active ? '–' : 'paused'}</span>,
  },
  {
    id: 'last',
    title: 'Last run',
    width: 92,
    from: 'sheet',
    cell: ({ lastRun }) =>
      lastRun?.startedAt ? <Time at={lastRun.startedAt} /> : <span className="text-ink-2">–</span>,
  },
  {
    id: 'status',
    title: 'Status',
    width: 104,
    cell: ({ lastRun }) => (lastRun ? <RunStatus run={lastRun} /> : <span className="text-ink-2">not run</span>),
  },
  {
    id: 'duration',
    title: 'Duration',
    width: 80,
    align: 'right',
    from: 'wide',
    cell: ({ lastRun }) => lastRun?.durationMs != null && <Duration ms={lastRun.durationMs} />,
  },
  {
    id: 'owner',
    title: 'Runs as',
    width: 96,
    from: 'wide',
    cell: ({ owner }) => <span className="mono">{owner}</span>,
  },
  {
    id: 'active',
    title: 'Active',
    width: 68,
    cell: (job) => (
      <Switch
        label={`${job.name ?? `Job ${job.jobId}`} is active`}
        on={job.active}
        disabled={!canChange}
        onToggle={(active) => onActive(job, active)}
      />
    ),
  },
]

/** The jobs that SQL has scheduled. */
export function JobsView(props: JobsProps) {
  const { page, text, onText, onOpen, onEnd } = props
  if (page === undefined) return <SkeletonRows />
  if (!page.installed)
    return (
      <MissingExtension name="pg_cron">
        It runs SQL by the clock: clean-ups, reports, calls of functions.
      </MissingExtension>
    )
  if (page.items.length === 0)
    return (
      <Empty title="No jobs yet.">
        <p>
          A job is SQL that runs by the clock. Each appears here with its next run, and every run with what it changed.
        </p>
        <Code text={firstJob} language="sql" copyLabel="Copy the SQL" />
      </Empty>
    )
  const wanted = text.toLowerCase()
  const shown = page.items.filter((job) =>
    `${job.name ?? ''} ${job.schedule} ${job.scheduleWords ?? ''} ${job.command ?? ''}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <div className="flex min-h-10 shrink-0 items-center border-line border-b px-4">
        <Filter label="Filter by name, schedule or SQL" value={text} onChange={onText} />
      </div>
      {shown.length === 0 ? (
        <Empty title="No jobs match this filter.">
          <p>
            <Button onClick={() => onText('')}>Show all jobs</Button>
          </p>
        </Empty>
      ) : (
        <Table
          label="Jobs"
          columns={columns(props)}
          rows={shown}
          rowKey={({ jobId }) => jobId}
          onOpen={onOpen}
          onEnd={onEnd}
        />
      )}
    </>
  )
}
