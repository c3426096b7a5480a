import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Code } from '../../ui/code.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { formatDuration } from '../../ui/time-text.ts'
import { sqlTriggersQuery, triggersQuery } from './queries.ts'
import { DeadLetters, FailedDeliveries } from './trigger-failures.tsx'

/** What calls a function by itself: jobs, webhooks, a queue, hooks of auth; and how each is made. */
export function TriggersPanel({ name }: { readonly name: string }) {
  const { data: settings, error, refetch } = useQuery(triggersQuery(name))
  const { data: found } = useQuery(sqlTriggersQuery(name))
  if (error && settings === undefined) return <ErrorProblem error={error} onRetry={refetch} />
  if (settings === undefined || found === undefined) return <SkeletonRows />
  const path = `/functions/v1/${name}`
  const { queue, hooks } = settings
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] content-start gap-7 overflow-y-auto p-4">
      <Trigger
        title="Jobs"
        snippet={`select cron.schedule('${name}', '0 3 * * *', $$select net.http_post('${path}')$$);`}
        language="sql"
      >
        {found.jobs.map((job) => (
          <li key={job.jobId} className="flex flex-wrap items-baseline gap-x-3">
            <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} className="font-medium hover:underline">
              {job.name ?? job.jobId}
            </Link>
            <span className="text-ink-2">{job.scheduleWords ?? job.schedule}</span>
            {job.lastRun?.startedAt && (
              <span className="text-ink-2">
                last run <Time at={job.lastRun.startedAt} />
              </span>
            )}
          </li>
        ))}
      </Trigger>
      <Trigger
        title="Webhooks"
        snippet={`create trigger ${name.replaceAll('-', '_')} after insert on orders for each row\nexecute function supabase_functions.http_request('${path}', 'POST', '{}', '{}', '5000');`}
        language="sql"
      >
        {found.hooks.map((hook) => (
          <li key={`${hook.schema}.${hook.table}.${hook.name}`} className="flex flex-wrap items-baseline gap-x-3">
            <Link
              to="/webhooks"
              search={{ tab: 'deliveries', schema: hook.schema, table: hook.table, hook: hook.name }}
              className="font-medium hover:underline"
            >
              {hook.name}
            </Link>
            <span className="text-ink-2">
              {hook.events.join(', ').toLowerCase()} of {hook.schema}.{hook.table}
            </span>
            <FailedDeliveries of={{ schema: hook.schema, table: hook.table, hook: hook.name }} />
          </li>
        ))}
      </Trigger>
      <Trigger
        title="Queue"
        note="in supabase/config.toml"
        snippet={`[functions.${name}.queue]\nname = "${name.replaceAll('-', '_')}"\nattempts = 5`}
      >
        {queue !== null && (
          <li className="flex flex-wrap items-baseline gap-x-3">
            <Link to="/queues/$name" params={{ name: queue.name }} className="font-medium hover:underline">
              {queue.name}
            </Link>
            <span className="text-ink-2">{rulesOf(queue)}</span>
            <DeadLetters queue={queue.name} />
          </li>
        )}
      </Trigger>
      <Trigger
        title="Hooks of auth"
        note="in supabase/config.toml"
        snippet={`[auth.hook.send_email]\nenabled = true\nuri = "${path}"\nsecrets = "env(SEND_EMAIL_HOOK_SECRETS)"`}
      >
        {hooks.map((hook) => (
          <li key={hook} className="mono font-medium">
            {hook}
          </li>
        ))}
      </Trigger>
    </div>
  )
}

/** How a queue's messages are attempted: each pause is four times as long as the one before. */
function rulesOf({ attempts, backoffMs, concurrency, timeoutSeconds }: FunctionQueue): string {
  const pauses = Array.from({ length: Math.min(3, attempts - 1) }, (_each, at) =>
    formatDuration(Math.min(longestPauseMs, backoffMs * 4 ** at)),
  )
  const text = `${pauses.join(', ')}${attempts > 4 ? ' …' : ''}`
  const between = attempts === 1 ? '' : attempts === 2 ? `, with a pause of ${text}` : `, with pauses of ${text}`
  return `${concurrency} at a time, ${timeoutSeconds} s each; ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${between}`
}

interface FunctionQueue {
  readonly attempts: number
  readonly backoffMs: number
  readonly concurrency: number
  readonly timeoutSeconds: number
}

const longestPauseMs = 6 * 3_600_000

interface TriggerProps {
  readonly title: string
  /** Where the snippet belongs. */
  readonly note?: string
  readonly snippet: string
  readonly language?: 'sql'
  /** What there is; the snippet stands in its place where there is nothing. */
  readonly children: ReactNode
}

function Trigger({ title, note, snippet, language = undefined, children }: TriggerProps) {
  const isEmpty = !children || (Array.isArray(children) && children.length === 0)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">{title}</h2>
      {isEmpty ? (
        <>
          <p className="text-ink-2">None. This makes one{note && `, ${note}`}:</p>
          <Code
            text={snippet}
            {...(language && { language })}
            copyLabel={`Copy the snippet for ${title.toLowerCase()}`}
          />
        </>
      ) : (
        <ul className="grid gap-1">{children}</ul>
      )}
    </section>
  )
}
