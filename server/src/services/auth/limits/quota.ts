import type { OpenTopic } from '../../../ground/model/topic.ts'
import { authError } from '../model/errors.ts'
import { parseDuration } from '../parse/duration.ts'
import type { Quota } from './limits.ts'

/** The number and the period of a quota. */
export interface Allowance {
  readonly events: number
  readonly windowMs: number
}

const hourMs = 3_600_000

/** Reads `30` (an hour) or `100/24h`; undefined when it is neither. */
export function parseAllowance(raw: string): Allowance | undefined {
  const [, events, duration] = /^(\d{1,9})(?:\/(\w+))?$/.exec(raw) ?? []
  const windowMs = duration === undefined ? hourMs : parseDuration(duration)
  return events === undefined || windowMs === undefined || windowMs <= 0
    ? undefined
    : { events: Number(events), windowMs }
}

/** A quota of fixed windows, one for all processes; without an allowance there is no bound. */
export function createQuota(
  allowance: Allowance | null,
  code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit',
  now: () => Date,
  topic: OpenTopic,
): Quota {
  const others = topic<number>(`auth.quota.${code}`)
  let windowEndsAt = 0
  let spent = 0
  const beginWindow = ({ windowMs }: Allowance): void => {
    const at = now().getTime()
    if (at < windowEndsAt) return
    windowEndsAt = at + windowMs
    spent = 0
  }
  const check = (): void => {
    if (allowance === null) return
    beginWindow(allowance)
    if (spent < allowance.events) return
    const message = code === 'over_email_send_rate_limit' ? 'email rate limit exceeded' : 'SMS rate limit exceeded'
    throw authError(code, { message })
  }
  others.hear((count) => {
    if (allowance !== null) beginWindow(allowance)
    spent += count
  })
  return {
    check,
    spend() {
      check()
      spent += 1
      others.tell(1)
    },
  }
}
