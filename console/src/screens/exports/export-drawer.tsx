import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { ExportRun, ScheduledExport } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { exportRunsQuery, exportsQuery } from './queries.ts'
import { RunState, totalOf } from './run-text.tsx'

interface ExportDrawerProps {
  /** Nothing is open without it. */
  readonly item: ScheduledExport | undefined
  readonly onEdit: (item: ScheduledExport) => void
  readonly onRemove: (item: ScheduledExport) => void
  readonly onClose: () => void
}

/** An export opened in place: where it goes, what can be done with it, its runs. */
export function ExportDrawer({ item, onEdit, onRemove, onClose }: ExportDrawerProps) {
  const { canChange } = useRights()
  return (
    <Drawer open={item !== undefined} onClose={onClose} title={item?.name ?? ''}>
      {item && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
          {canChange && (
            <Actions item={item}>
              <Button onClick={() => onEdit(item)}>Edit</Button>
              <Button onClick={() => onRemove(item)}>Remove</Button>
            </Actions>
          )}
          <Place item={item} />
          <Runs id={item.id} />
        </div>
      )}
    </Drawer>
  )
}

function Actions({ item: { id, paused }, children }: { readonly item: ScheduledExport; readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const events = {
    onError: (problem: Error) =>
      void toast.add({ title: 'The export was not changed.', description: errorText(problem) }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: ['export-runs', id] }),
      ]),
  }
  const run = useMutation({
    mutationFn: () => api.runExport(id),
    ...events,
    onSuccess: () => void toast.add({ title: 'The export begins.' }),
  })
  const pause = useMutation({ mutationFn: () => api.pauseExport(id, !paused), ...events })
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="primary"
        disabled={paused || run.isPending}
        title={paused ? 'A paused export does not run.' : undefined}
        onClick={() => run.mutate()}
      >
        Run now
      </Button>
      <Button disabled={pause.isPending} onClick={() => pause.mutate()}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {children}
    </div>
  )
}

const formats: Readonly<Record<ScheduledExport['format'], string>> = {
  parquet: 'Parquet',
  csv: 'CSV',
  jsonl: 'JSON Lines',
}

function Place({ item }: { readonly item: ScheduledExport }) {
  const { kinds, format, schedule, scheduleWords, nextAt, endpoint, region, bucket, prefix, accessKeyId } = item
  return (
    <Facts>
      <Fact name="Exports">
        {kinds.join(', ')} <span className="text-ink-2">as {formats[format]}</span>
      </Fact>
      <Fact name="Schedule">
        {scheduleWords} <span className="mono text-ink-2">{schedule}</span> <span className="text-ink-2">UTC</span>
      </Fact>
      <Fact name="Next run">{nextAt ? <Time at={nextAt} /> : <span className="text-ink-2">paused</span>}</Fact>
      <Fact name="Server">
        <span className="mono">{endpoint ?? 'Amazon S3'}</span> <span className="text-ink-2">{region}</span>
      </Fact>
      <Fact name="Bucket">
        <span className="mono">{[bucket, prefix].filter((part) => part !== '').join('/')}</span>
      </Fact>
      <Fact name="Access key">
        <span className="mono">{accessKeyId}</span>
      </Fact>
      <Fact name="Made">
        <Time at={item.createdAt} /> <span className="text-ink-2">by {item.createdBy}</span>
      </Fact>
      {item.version > 1 && (
        <Fact name="Changed">
          <Time at={item.updatedAt} /> <span className="text-ink-2">by {item.updatedBy}</span>
        </Fact>
      )}
    </Facts>
  )
}

function Runs({ id }: { readonly id: string }) {
  const { query, loadMore } = exportRunsQuery(useQueryClient(), id)
  const { data: runs, error, refetch } = useQuery(query)
  return (
    <section aria-label="Runs" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Runs</h2>
      {runs === undefined ? (
        error ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : (
          <SkeletonRows />
        )
      ) : runs.items.length === 0 ? (
        <p className="text-ink-2">None yet. The first one exports everything that is kept.</p>
      ) : (
        <ul aria-label="Runs" className="grid divide-y divide-line">
          {runs.items.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
      {runs && runs.next !== null && (
        <Button className="justify-self-start" onClick={() => inBackground(loadMore())}>
          Earlier runs
        </Button>
      )}
    </section>
  )
}

function Run({ run }: { readonly run: ExportRun }) {
  const { files, bytes } = totalOf(run)
  return (
    <li className="grid gap-1 py-2">
      <div className="flex items-baseline gap-3">
        <RunState run={run} />
        <Time at={run.startedAt} className="text-ink-2" />
        <span className="min-w-0 flex-1 truncate text-right text-ink-2">{run.askedBy ?? 'by the schedule'}</span>
      </div>
      <p className="text-ink-2 text-sm">
        {files === 0 ? (
          run.state === 'done' ? (
            'Nothing was new.'
          ) : (
            'No file yet.'
          )
        ) : (
          <>
            {run.kinds
              .filter(({ rows }) => rows > 0)
              .map(({ kind, rows }) => (
                <span key={kind}>
                  <Count value={rows} /> {kind === 'recordings' ? 'messages of recordings' : kind},{' '}
                </span>
              ))}
            {files === 1 ? '1 file' : `${files} files`}, <Bytes value={bytes} />
          </>
        )}
      </p>
      {run.writing && <p className="mono truncate text-ink-2 text-sm">{run.writing}</p>}
      {run.error === null && run.lastFailure !== null && (
        <p className="wrap-anywhere text-ink-2 text-sm">
          After {run.attemptsFailed === 1 ? 'one failed attempt' : `${run.attemptsFailed} failed attempts`}:{' '}
          {run.lastFailure}
        </p>
      )}
      {run.error && (
        <p className={run.state === 'failed' ? 'wrap-anywhere text-danger text-sm' : 'wrap-anywhere text-sm text-warn'}>
          {run.error}
          {run.retryAt && (
            <>
              {' '}
              Next attempt <Time at={run.retryAt} />.
            </>
          )}
        </p>
      )}
    </li>
  )
}
