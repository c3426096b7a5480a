import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { drainSpools, type RefusedRows, type SpoolBacklog, type SpoolSettings } from '../../../engines/spool/index.ts'
import type { FindSession, FrameRecord } from '../../../ground/model/frame.ts'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import type { EngineHealth } from '../../../ground/model/health.ts'
import { type KeptLonger, nothingKeptLonger } from '../../../ground/model/kept-longer.ts'
import { type LiveNotices, unwatched } from '../../../ground/model/live.ts'
import type { RequestContext, RequestRecord, SessionTag } from '../../../ground/model/request.ts'
import { noOthers, type OpenTopic } from '../../../ground/model/topic.ts'
import { type Consent, openConsent } from '../../../ground/privacy/consent.ts'
import { type MaskedStore, type Masks, noMasks } from '../../../ground/privacy/masks.ts'
import type { Forget } from '../../../ground/privacy/withdrawal.ts'
import type { ThreadLog } from '../log.ts'
import { maskedStores } from '../masking/stores.ts'
import type { PeoplePort } from '../ports.ts'
import type { ThreadSettings } from '../settings.ts'
import { createRenderExchange } from './exchange/exchange-lines.ts'
import { forgetTies } from './forget.ts'
import { createInferredLinks, type InferredLinks } from './inferred-links.ts'
import type { Links } from './links.ts'
import { programOf } from './observation.ts'
import { createObservations } from './observations.ts'
import {
  analyticsCookieName,
  isOptedOut,
  optOutCookieName,
  readAnalyticsCookie,
  readBaggageTag,
  readCookies,
  readTracingHeaders,
  sessionIdleMs,
} from './session-tag.ts'
import { shareLinks } from './shared-links.ts'
import { openRequestSpool } from './spool/request-spool.ts'

/** Stores rows of one table as JSON objects. The same rows may come again, under the same token: they are stored once. */
export type ImportRows = (rows: readonly string[], token: string) => Promise<void>

/** Tables whose rows may be brought along from another instance. */
export type ImportedTable = 'requests' | 'statements' | 'changes' | 'function_logs' | 'frames'

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The writing half of the thread. */
export interface Recorder {
  /** Ties a request to a recorded session by its headers, its cookie, or what earlier requests taught. */
  tagRequest(headers: RequestHeaders, authSessionId: string | null, now: Date, remoteAddress: string): SessionTag | null
  /** Keeps a finished request, whose record outlives the process from the end of this turn on. Never waits, never throws. */
  requestEnded(record: RequestRecord): void
  /** Keeps a line of a function's log, as `requestEnded` keeps a request. */
  functionLogged(line: FunctionLog): void
  /** Keeps a message of a socket, as `requestEnded` keeps a request. */
  frameSeen(frame: FrameRecord): void
  /** Finds the session of the socket that a request has opened; null where its browser is not to be followed. */
  followSocket(context: RequestContext): FindSession | null
  /** Finished requests that wait to be stored, and those of which no record could be kept since the start. */
  waiting(): SpoolBacklog & { readonly lostRequests: number }
  /** How storing requests goes. */
  health(): Promise<EngineHealth>
  /** Takes what another instance had stored. */
  readonly importRows: Readonly<Record<ImportedTable, ImportRows>>
  /** Removes what ties these ids to sessions, and the messages of their sockets. */
  readonly forget: Forget
  /** Where requests and row changes are kept, for masks of the past. */
  readonly maskedStores: readonly MaskedStore[]
  /** Resolves when everything until now is stored. */
  flush(): Promise<void>
  /** Takes no more; what is not stored within seconds is stored after the next start. */
  close(): Promise<void>
}

export interface RecorderDeps {
  readonly clickhouse: ClickHouse
  readonly links: Links
  /** The folder of all spools, on a disk; finished requests have their own in it. */
  readonly spoolDir: string
  /** Folders of the same kind that no process writes any more. */
  readonly leftSpoolDirs?: readonly string[]
  readonly spoolSettings: SpoolSettings
  /** Whether the disk is short of space, so that no requests are recorded; never where nothing is given. */
  readonly isDiskShort?: () => boolean
  /** Takes the rows that an engine rejects for what they are. */
  readonly refused: RefusedRows
  /** Tokens of our own analytics: the cookies of others say nothing here. */
  readonly ingestTokens: readonly string[]
  readonly linkUser: PeoplePort['linkUser']
  /** Whose requests may be tied to a session; everyone's where nothing is given. */
  readonly consent?: Consent
  /** What is masked in the addresses of requests; nothing where not given. */
  readonly masks?: Masks
  /** Joins what the processes learn of sign-ins; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  /** Sessions that are kept longer; none where nothing is given. */
  readonly keptLonger?: KeptLonger
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: ThreadSettings
  /** Hears of what was stored. */
  readonly live?: LiveNotices
  /** The most milliseconds between two batches of requests while a session is watched. */
  readonly watchedBatchMs?: number
  readonly log: ThreadLog
}

const dayMs = 24 * 60 * 60_000

/** Opens the spool of requests and remembers the links of the last half hour. */
export async function createRecorder(deps: RecorderDeps): Promise<Recorder> {
  const { clickhouse, links, settings, now, newId, log } = deps
  const known = createInferredLinks(settings.rememberedAuthSessions)
  const since = new Date(now().getTime() - sessionIdleMs)
  for (const link of await links.since(since, settings.rememberedAuthSessions)) known.remember(link)
  const inferred = shareLinks(known, deps.topic ?? noOthers)

  const renderExchange = createRenderExchange(settings)
  const open = (folder: string) =>
    openRequestSpool({
      clickhouse,
      folder,
      settings: deps.spoolSettings,
      isDiskShort: deps.isDiskShort,
      refused: deps.refused,
      consent: deps.consent ?? openConsent,
      masks: deps.masks ?? noMasks,
      renderExchange,
      saveEvidence: links.save,
      live: deps.live ?? unwatched,
      watchedBatchMs: deps.watchedBatchMs ?? deps.spoolSettings.batchMs,
      now,
      newId,
      log,
    })
  const spool = await open(deps.spoolDir)
  const left = await drainSpools(open, deps.leftSpoolDirs ?? [])
  const observations = createObservations({ save: spool.observed, linkUser: deps.linkUser, settings, log })
  const forgetting = forgetOldLinks(deps)

  const importInto =
    (table: Exclude<ImportedTable, 'changes'>, takesTokens: boolean): ImportRows =>
    async (rows, token) => {
      await clickhouse.insertLines(table, rows, takesTokens ? { token } : {})
    }

  return {
    tagRequest: createTagRequest(deps.ingestTokens, settings.respectGpc, inferred),
    requestEnded(record) {
      spool.ended(record)
      observations.see(record)
    },
    functionLogged: spool.logged,
    frameSeen: spool.framed,
    followSocket: createFollowSocket(deps.ingestTokens, settings.respectGpc, inferred),
    health: spool.health,
    waiting: () => ({ ...spool.backlog(), lostRequests: spool.lost() }),
    importRows: {
      requests: importInto('requests', true),
      statements: importInto('statements', true),
      // These tables take a row for one however often it comes.
      changes: (rows) => clickhouse.insertLines('changes', rows),
      function_logs: importInto('function_logs', false),
      frames: importInto('frames', false),
    },
    forget: async (distinctIds, before) => {
      await links.forgetBrowsers(distinctIds, new Date(before.receivedMs))
      await forgetTies(clickhouse, distinctIds, before)
    },
    maskedStores: maskedStores(clickhouse),
    async flush() {
      await observations.settled()
      await spool.settled()
    },
    async close() {
      clearInterval(forgetting)
      await observations.settled()
      await left.close()
      await spool.close()
    },
  }
}

/** Who was in a session is known as long as what was done in it. */
function forgetOldLinks({ links, keptLonger = nothingKeptLonger, settings, now, log }: RecorderDeps): NodeJS.Timeout {
  const keptMs = Math.max(settings.requestRetentionDays, settings.changeRetentionDays) * dayMs
  const forget = async (): Promise<void> =>
    links.forget(new Date(now().getTime() - keptMs), await keptLonger.sessions())
  const attempt = (): void =>
    void forget().catch((error: unknown) => log.warn({ err: error }, 'Old links could not be deleted yet'))
  return setInterval(attempt, dayMs).unref()
}

function createTagRequest(
  ingestTokens: readonly string[],
  respectGpc: boolean,
  inferred: InferredLinks,
): Recorder['tagRequest'] {
  return (headers, authSessionId, at, remoteAddress) => {
    // Tokens come and go while the process runs. Most programs send no cookies, whose names need not be made then.
    const tokens = headers.cookie === undefined ? [] : ingestTokens
    const cookieNames = tokens.map(analyticsCookieName)
    const optOutNames = tokens.map(optOutCookieName)
    if (isOptedOut(headers, optOutNames, respectGpc)) return null
    const sent =
      readTracingHeaders(headers) ??
      readBaggageTag(headers) ??
      readAnalyticsCookie(readCookies(headers.cookie), cookieNames, at)
    if (authSessionId === null) return sent
    const program = programOf({ remoteAddress, headers })
    if (sent === null || sent.sessionId === null) return inferred.recall(authSessionId, at, program) ?? sent
    inferred.remember({ ...sent, sessionId: sent.sessionId, authSessionId, programs: [program], at })
    return sent
  }
}

/**
 * A browser adds nothing of posthog-js to the request for a socket but its cookie, and a socket stays open for longer than
 * a session may: what its opening said holds for as long as a session lasts without a sign of life, and later what the
 * tagged calls of its sign-in say.
 */
function createFollowSocket(
  ingestTokens: readonly string[],
  respectGpc: boolean,
  inferred: InferredLinks,
): Recorder['followSocket'] {
  return (context) => {
    const { headers, tag, startedAt } = context
    const optOutNames = ingestTokens.map(optOutCookieName)
    if (isOptedOut(headers, optOutNames, respectGpc)) return null
    const program = programOf(context)
    const said = tag !== null && tag.sessionId !== null ? tag : null
    return (authSessionId, at) => {
      const recalled = authSessionId === null ? null : inferred.recall(authSessionId, at, program)
      const isRecent = at.getTime() - startedAt.getTime() < sessionIdleMs
      // The same session: the opening's own word is the better proof.
      if (said !== null && isRecent && (recalled === null || recalled.sessionId === said.sessionId)) return said
      return recalled
    }
  }
}
