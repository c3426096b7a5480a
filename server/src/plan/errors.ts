import { createMailer } from '../engines/mail/index.ts'
import { createOutbound } from '../engines/outbound/index.ts'
import { createCauses } from '../gateway/index.ts'
import { uuidv7 } from '../ground/ids/uuidv7.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import type { RequestRecord } from '../ground/model/request.ts'
import type { Inbox } from '../services/inbox/index.ts'
import type { Issues, IssuesDeps } from '../services/issues/index.ts'
import type { Thread } from '../services/thread/index.ts'
import type { Addresses } from './addresses.ts'
import { projectName } from './facts.ts'
import type { ComposeInput } from './instance.ts'
import type { Shared } from './shared.ts'

const alertTimeoutMs = 10_000
const alertAnswerBytes = 64 * 1024

/** How errors tell the team: by the mail server or the inbox, and to addresses that webhooks may reach, too. */
export const planAlerts = (
  { settings }: Pick<ComposeInput, 'settings'>,
  { consoleUrl }: Pick<Addresses, 'consoleUrl'>,
  inbox: Inbox,
): Pick<IssuesDeps, 'settings' | 'alerts'> => ({
  settings: settings.issues,
  alerts: {
    mailer: createMailer(inbox, settings.mail, { now: () => new Date(), newId: () => uuidv7() }),
    outbound: createOutbound({
      reach: settings.instance.production ? 'public' : 'public and loopback',
      allowsPlain: true,
      allowedHosts: settings.net.allowedHosts,
      timeoutMs: alertTimeoutMs,
      maxBytes: alertAnswerBytes,
    }),
    project: projectName(settings.instance),
    consoleUrl,
  },
})

/** What ends in a request and what functions log, for the thread and for the errors, with the sessions of recent requests. */
export function joinErrors({ traces, topic }: Pick<Shared, 'traces' | 'topic'>, thread: Thread, issues: Issues) {
  const causes = createCauses(traces, topic)
  return {
    causes,
    requestEnded(record: RequestRecord): void {
      thread.requestEnded(record)
      issues.requestEnded(record)
    },
    functionLogged(line: FunctionLog): void {
      thread.functionLogged(line)
      issues.functionLogged(line, line.requestId === null ? null : causes.tagOf(line.requestId))
    },
  }
}
