import type { OpenTopic } from '../../../ground/model/topic.ts'
import { authError } from '../model/errors.ts'
import type { ResendCooldown } from './limits.ts'

const maxAddresses = 10_000

/** A resend cooldown; it remembers a bounded number of addresses. */
export function createResendCooldown(
  maxFrequencySeconds: number,
  code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit',
  now: () => Date,
  topic: OpenTopic,
): ResendCooldown {
  const others = topic<string>(`auth.cooldown.${code}`)
  const pretended = new Map<string, Date>()

  const check = (sentAt: Date | null): void => {
    if (sentAt === null) return
    const waitMs = sentAt.getTime() + maxFrequencySeconds * 1000 - now().getTime()
    if (waitMs <= 0) return
    const seconds = Math.max(1, Math.floor(waitMs / 1000))
    throw authError(code, {
      message: `For security purposes, you can only request this after ${seconds} seconds.`,
    })
  }

  const remember = (key: string): void => {
    pretended.delete(key)
    pretended.set(key, now())
    if (pretended.size <= maxAddresses) return
    const oldest = pretended.keys().next()
    if (!oldest.done) pretended.delete(oldest.value)
  }
  others.hear(remember)

  return {
    check,
    pretend(kind, address) {
      const key = `${kind} ${address}`
      check(pretended.get(key) ?? null)
      remember(key)
      others.tell(key)
    },
  }
}
