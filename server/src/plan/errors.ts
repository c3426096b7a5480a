import { createMailer } from '../engines/mail/index.ts'
import { createOutbound } from '../engines/outbound/index.ts'
import { postgresError } from '../engines/postgres/index.ts'
import { createCauses, gatewayError } from '../gateway/index.ts'
import type { ErrorEntry } from '../ground/errors/catalogue.ts'
import { uuidv7 } from '../ground/ids/uuidv7.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import type { RequestRecord } from '../ground/model/request.ts'
import { authError } from '../services/auth/index.ts'
import { functionsError } from '../services/functions/index.ts'
import type { Inbox } from '../services/inbox/index.ts'
import type { Issues, IssuesDeps } from '../services/issues/index.ts'
import { realtimeError } from '../services/realtime/index.ts'
import { restError } from '../services/rest/index.ts'
import { storageError } from '../services/storage/index.ts'
import type { Telemetry } from '../services/telemetry/index.ts'
import type { Thread } from '../services/thread/index.ts'
import type { Addresses } from './addresses.ts'
import { projectName } from './facts.ts'
import type { ComposeInput } from './instance.ts'
import type { Shared } from './shared.ts'

const alertTimeoutMs = 10_000
const alertAnswerBytes = 64 * 1024

/** How the team is told: by the mail server or the inbox, and at addresses that webhooks may reach, too. */
export const planNotices = (
  { settings }: Pick<ComposeInput, 'settings'>,
  { consoleUrl }: Pick<Addresses, 'consoleUrl'>,
  inbox: Inbox,
) => ({
  notices: {
    mailer: createMailer(inbox, settings.mail, { now: () => new Date(), newId: () => uuidv7() }),
    outbound: createOutbound({
      reach: settings.instance.production ? 'public' : 'public and loopback',
      allowsPlain: true,
      allowedHosts: settings.net.allowedHosts,
      timeoutMs: alertTimeoutMs,
      maxBytes: alertAnswerBytes,
    }),
  },
  project: projectName(settings.instance),
  consoleUrl,
})

/** How errors tell the team. */
export function planAlerts(
  input: Pick<ComposeInput, 'settings'>,
  addresses: Pick<Addresses, 'consoleUrl'>,
  inbox: Inbox,
): Pick<IssuesDeps, 'settings' | 'alerts'> {
  const { notices, ...named } = planNotices(input, addresses, inbox)
  return { settings: input.settings.issues, alerts: { ...notices, ...named } }
}

/** What ends in a request and what functions log, for the thread, the errors and a collector, with the sessions of recent requests. */
export function joinErrors(
  { traces, topic }: Pick<Shared, 'traces' | 'topic'>,
  thread: Thread,
  issues: Issues,
  telemetry: Pick<Telemetry, 'requestEnded'>,
) {
  const causes = createCauses(traces, topic)
  return {
    causes,
    requestEnded(record: RequestRecord): void {
      thread.requestEnded(record)
      issues.requestEnded(record)
      telemetry.requestEnded(record)
    },
    functionLogged(line: FunctionLog): void {
      thread.functionLogged(line)
      issues.functionLogged(line, line.requestId === null ? null : causes.tagOf(line.requestId))
    },
  }
}

/**
 * Conditions of PostgreSQL that applications meet, by their SQLSTATE.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const conditions: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  '22001': ['A text is too long for its column.', 'Shorten it, or widen the column.'],
  '22003': ['A number is out of its type’s range.', 'Check the value, or take a wider type.'],
  '22007': ['A date or time could not be read.', 'Send it as ISO 8601.'],
  '22023': ['A parameter has a value that is not allowed.', 'Check the arguments of the function.'],
  '22P02': ['A value is not of its column’s type.', 'Check the filter or the row that was sent.'],
  '23502': ['A column that may not be null got no value.', 'Send it, or give the column a default.'],
  '23503': [
    'A foreign key refers to a row that is not there, or a row is still referred to.',
    'Write the other row first.',
  ],
  '23505': ['A row with this key is there already.', 'Update it, or upsert with `on_conflict`.'],
  '23514': ['A check constraint refused the row.', 'Check its values.'],
  '23P01': ['An exclusion constraint refused the row.', 'It overlaps with another row.'],
  '40001': ['The transaction collided with another one.', 'Send it again.'],
  '40P01': ['The transaction and another one waited for each other.', 'Send it again; take locks in one order.'],
  '42501': ['The role may not do this.', 'Grant it, or add a policy of row security: Why? says which.'],
  '42703': ['A column is not there.', 'Check its name.'],
  '42883': ['A function with these arguments is not there.', 'Check its name and the types of the arguments.'],
  '42P01': ['A table is not there.', 'Check its name, or run the migration that creates it.'],
  '42P17': [
    'A policy refers to its own table, and so to itself.',
    'Move the query into a function with `security definer`.',
  ],
  '53300': ['The database has no connection left.', 'Raise its limit, or close connections that idle.'],
  '55P03': ['A lock could not be had in time.', 'Another transaction holds it: find out which.'],
  '57014': [
    'The statement ran longer than it may.',
    'See its plan on the request; raise `statement_timeout` where it must.',
  ],
  P0001: ['A function of the application raised an error.', 'Its `raise` says why.'],
}

const catalogues = [gatewayError, restError, authError, storageError, functionsError, realtimeError, postgresError]

/** What the code of a refusal of the application's port means; null for one of the application's own. */
export function meaningOf(code: string): Pick<ErrorEntry, 'message' | 'hint'> | null {
  const condition = conditions[code]
  if (condition !== undefined) return { message: condition[0], hint: condition[1] }
  for (const { entries } of catalogues) {
    const entry = new Map<string, ErrorEntry>(Object.entries(entries)).get(code)
    if (entry !== undefined) return { message: entry.message, hint: entry.hint }
  }
  return null
}
