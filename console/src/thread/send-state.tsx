import { Dot, type Tone } from '../ui/badge.tsx'

/** The states of webhooks and of requests from SQL. */
export type SendState = 'waiting' | 'sending' | 'delivered' | 'answered' | 'failed'

const tones: Readonly<Record<SendState, Tone>> = {
  waiting: 'quiet',
  sending: 'info',
  delivered: 'ok',
  answered: 'ok',
  failed: 'danger',
}

interface SendStateTextProps {
  readonly state: SendState
  /** The HTTP status of the last attempt. */
  readonly status: number | null
  readonly error: string | null
}

/** How a webhook, or a request from SQL, went: its state with the status of the last answer. */
export function SendStateText({ state, status, error }: SendStateTextProps) {
  return (
    <span title={error ?? undefined}>
      <Dot tone={state === 'answered' && status !== null && status >= 400 ? 'warn' : tones[state]}>
        {state}
        {status !== null && <span className="mono"> {status}</span>}
      </Dot>
    </span>
  )
}
