import type { FunctionLogLine } from '../lib/api/schemas.ts'
import { classes } from '../ui/classes.ts'
import { Time } from '../ui/time.tsx'

const tones: Readonly<Record<FunctionLogLine['level'], string>> = {
  debug: 'text-ink-2',
  info: 'text-ink',
  warning: 'text-warn',
  error: 'text-danger',
}

const names: Readonly<Record<FunctionLogLine['kind'], string | null>> = {
  boot: 'boot',
  boot_failure: 'not started',
  exception: 'exception',
  fetch: 'call',
  log: null,
  shutdown: 'end',
}

/** What a function logged, in order: when, what kind of line, its text as it was written. */
export function LogList({ logs }: { readonly logs: readonly FunctionLogLine[] }) {
  return (
    <ol className="mono grid grid-cols-[minmax(0,1fr)] gap-1">
      {logs.map(({ id, at, kind, level, text }) => (
        <li key={id} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
          <Time at={at} look="clock" className="text-ink-2" />
          <span className={classes('wrap-anywhere whitespace-pre-wrap', tones[level])}>
            {names[kind] !== null && <span className="text-ink-2">{names[kind]} </span>}
            {text}
          </span>
        </li>
      ))}
    </ol>
  )
}
