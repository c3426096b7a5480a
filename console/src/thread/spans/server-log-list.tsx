import type { ReactNode } from 'react'
import type { ServerLog } from '../../lib/api/schemas.ts'
import { Time } from '../../ui/time.tsx'
import { AttributeList } from './attribute-list.tsx'
import { OpeningLine } from './opening-line.tsx'

/** How a level looks. */
export const levelTones: Readonly<Record<ServerLog['level'], string>> = {
  trace: 'text-ink-2',
  debug: 'text-ink-2',
  info: 'text-ink',
  warn: 'text-warn',
  error: 'text-danger',
  fatal: 'text-danger',
}

interface ServerLogListProps<Log extends ServerLog> {
  readonly logs: readonly Log[]
  /** What stands at the end of a record, beside what opens it. */
  readonly end?: (log: Log) => ReactNode
}

/** What servers logged, in order; a record opens its attributes. */
export function ServerLogList<Log extends ServerLog>({ logs, end }: ServerLogListProps<Log>) {
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)]">
      {logs.map((log) => (
        <li key={log.id} className={end && 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3'}>
          {Object.keys(log.attributes).length === 0 ? (
            <div className="pl-5">
              <LogHead log={log} />
            </div>
          ) : (
            <details className="group">
              <OpeningLine>
                <LogHead log={log} />
              </OpeningLine>
              <div className="ml-2 border-line border-l-[1.5px] py-1 pl-3 text-sm">
                <AttributeList attributes={log.attributes} />
              </div>
            </details>
          )}
          {end?.(log)}
        </li>
      ))}
    </ol>
  )
}

const LogHead = ({ log: { at, level, service, text, eventName } }: { readonly log: ServerLog }) => (
  <span className="mono grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-1">
    <Time at={at} look="clock" className="text-ink-2" />
    <span className="wrap-anywhere whitespace-pre-wrap">
      <span className={levelTones[level]}>{level}</span> <span className="text-ink-2">{service}</span>{' '}
      {text === '' ? eventName : text}
    </span>
  </span>
)
