import { type NoticePorts, sendNotice } from '../../../engines/mail/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { IssuesSettings } from '../settings.ts'
import { renderAlerts } from './message.ts'
import {
  markAlertedStatement,
  type OwedAlert,
  selectLastSentStatement,
  selectOwedStatement,
  updateLastSentStatement,
} from './store.ts'

/** How alerts leave, and what they name. */
export interface AlertPorts extends NoticePorts {
  /** The project's name. */
  readonly project: string
  /** Without a slash at its end. */
  readonly consoleUrl: string
}

export interface AlertsDeps extends AlertPorts {
  readonly sql: Sql
  readonly settings: Pick<IssuesSettings, 'alertMails' | 'alertWebhookUrl' | 'alertMinutes'>
  readonly now: () => Date
  readonly log: Log
}

/** Tells the team of issues that are new or came back. */
export interface Alerts {
  /** Sends what is owed, unless a message was sent lately: then with the next ones. */
  send(): Promise<void>
  /** Sends soon: called when issues may have been made or opened. */
  wake(): void
  close(): Promise<void>
}

const pollMs = 30_000
const wakeMs = 500
const minuteMs = 60_000
const mostOwed = 1000

/**
 * Sends alerts: a message has all that is owed, and the next one leaves `alertMinutes` later at the soonest, whatever
 * happens. An alert that was sent may be sent again where the process ends just then.
 */
export function createAlerts(deps: AlertsDeps): Alerts {
  const { log } = deps
  let sending: Promise<void> = Promise.resolve()
  let waking: NodeJS.Timeout | null = null
  const send = (): Promise<void> => {
    sending = sending.then(() =>
      sendOwed(deps).catch((error: unknown) => log.warn({ err: error }, 'Alerts of errors could not be sent yet')),
    )
    return sending
  }
  const timer = setInterval(() => void send(), pollMs).unref()
  return {
    send,
    wake() {
      waking ??= setTimeout(() => {
        waking = null
        void send()
      }, wakeMs).unref()
    },
    async close() {
      clearInterval(timer)
      if (waking !== null) clearTimeout(waking)
      await sending
    },
  }
}

async function sendOwed(deps: AlertsDeps): Promise<void> {
  const { sql, settings, project, consoleUrl, now } = deps
  const at = now()
  if (settings.alertMails.length === 0 && settings.alertWebhookUrl === null) {
    // What happened while no one was to be told is no news later.
    await sql.query(markAlertedStatement(null, at))
    return
  }
  // The lock is held while the message leaves: a process that ends gives it back, and what it owed with it.
  await sql.transaction(async (tx) => {
    const [turn] = (await tx.query<{ lastSentAt: Date | null }>(selectLastSentStatement())).rows
    if (turn === undefined) return
    const sinceMs = turn.lastSentAt === null ? Number.POSITIVE_INFINITY : at.getTime() - turn.lastSentAt.getTime()
    if (sinceMs < settings.alertMinutes * minuteMs) return
    const { rows } = await tx.query<OwedAlert>(selectOwedStatement(mostOwed))
    if (rows.length === 0) return
    const alerts = rows.map(({ id: _, ...alert }) => alert)
    const to = { mails: settings.alertMails, webhookUrl: settings.alertWebhookUrl }
    await sendNotice(deps, to, renderAlerts(alerts, project, consoleUrl))
    await tx.query(
      markAlertedStatement(
        rows.map(({ id }) => id),
        at,
      ),
    )
    await tx.query(updateLastSentStatement(at))
  })
}
