import type { Moment } from '../../../lib/api/schemas.ts'
import { levelTones, ServerLogList } from '../../../thread/spans/server-log-list.tsx'
import { SpanTree } from '../../../thread/spans/span-tree.tsx'
import { Duration } from '../../../ui/time.tsx'

/** What a server did, in a line: the first span of it. */
export function SpanTitle({ moment: { label, spans = [] } }: { readonly moment: Moment }) {
  const [root] = spans
  const failed = spans.some(({ status }) => status === 'error')
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className={failed ? 'shrink-0 text-danger' : 'shrink-0 text-ink-2'}>
        {failed ? 'Server failed' : 'Server'}
      </span>
      <b className="truncate font-medium">{label}</b>
      <span className="min-w-0 flex-1 truncate text-ink-2">{root?.service}</span>
      {spans.length > 1 && <span className="tabular shrink-0 text-ink-2">{spans.length} spans</span>}
      {root && <Duration ms={root.durationMs} className="mono shrink-0" />}
    </span>
  )
}

/** What a server logged, in a line. */
export function ServerLogTitle({ moment: { label, log } }: { readonly moment: Moment }) {
  if (!log) return label
  return (
    <span className="mono">
      <span className={levelTones[log.level]}>{log.level}</span> <span className="text-ink-2">{log.service}</span>{' '}
      {label === '' ? log.eventName : label}
    </span>
  )
}

/** All that a server told of a moment: its spans below one another, or the record with its attributes. */
export function ServerLines({ moment: { spans, log } }: { readonly moment: Moment }) {
  return (
    <div className="mt-1 mb-0.5 border-thread border-l-[1.5px] pl-3">
      {spans && <SpanTree spans={spans} />}
      {log && <ServerLogList logs={[log]} />}
    </div>
  )
}
