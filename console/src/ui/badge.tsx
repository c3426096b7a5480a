import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** The text colour of each tone. */
export const toneText = {
  ok: 'text-ok',
  warn: 'text-warn',
  danger: 'text-danger',
  info: 'text-info',
  quiet: 'text-ink-2',
}

/** The meaning of a colour; `quiet` has none. */
export type Tone = keyof typeof toneText

/** A word that is a status. The colour repeats what the word says. */
export function Badge({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex h-5 items-center rounded-small border border-line bg-surface px-1.5 text-sm leading-none',
        toneText[tone],
      )}
    >
      {children}
    </span>
  )
}

/** The tone of an HTTP status: success is green, a client error amber, a failure red. */
export function statusTone(status: number): Tone {
  if (status >= 500) return 'danger'
  if (status >= 400) return 'warn'
  return status >= 200 && status < 300 ? 'ok' : 'quiet'
}

/** An HTTP status as a number in its colour. */
export function Status({ status }: { readonly status: number }) {
  return <span className={classes('mono tabular', toneText[statusTone(status)])}>{status === 0 ? '—' : status}</span>
}

/** A dot with a word beside it: live, ready, down. */
export function Dot({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="whitespace-nowrap">
      <span
        aria-hidden="true"
        className={classes('mr-1.5 mb-px inline-block size-1.5 rounded-full bg-current align-middle', toneText[tone])}
      />
      {children}
    </span>
  )
}

interface ChipProps {
  readonly on: boolean
  readonly onToggle: (on: boolean) => void
  readonly children: ReactNode
}

/** A filter that is on or off. */
export function Chip({ on, onToggle, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onToggle(!on)}
      className={classes(
        'inline-flex h-5.5 shrink-0 items-center rounded-control border border-line px-1.75 text-sm transition-colors',
        on ? 'bg-sunken text-ink' : 'text-ink-2 hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}
