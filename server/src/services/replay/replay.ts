import { type ClickHouse, createReaches, type Reach, readBack } from '../../engines/clickhouse/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import type {
  PageObservation,
  PagePicture,
  RecordingOutline,
  RecordingSummary,
  ScannedEvents,
  SnapshotContext,
  SnapshotMessage,
  WantedMessages,
} from '../../ground/model/recording.ts'
import {
  kindOfAllStarts,
  kindOfStarts,
  type SessionSign,
  type SessionStart,
  type SessionStartsQuery,
} from '../../ground/model/session.ts'
import type { MaskedStore } from '../../ground/privacy/masks.ts'
import type { Forget } from '../../ground/privacy/withdrawal.ts'
import { recordings, recordingsModule } from './ingest/recordings.ts'
import { maskedSnapshots, rewriteSnapshots } from './masking/masking.ts'
import { findPagePicture } from './page-picture.ts'
import type { ReplaySettings } from './settings.ts'
import {
  activeSinceStatement,
  anyForgottenStatement,
  clockStatement,
  fileLinesStatement,
  firstStatement,
  forgetStatement,
  messagesStatement,
  pictureStatement,
  type SessionRow,
  type SignRow,
  type StartRow,
  sessionsSinceStatement,
  sessionsStatement,
  signsStatement,
  startsStatement,
  storedIdsStatement,
} from './store.ts'
import { readOutline } from './stretches.ts'

/** Session recordings: kept message by message, read back in order. */
export interface Replay {
  /**
   * Renders a message as one line for `store`, for a spool to keep until then.
   *
   * @returns null when nothing in it can be played: the contract answers such a message with 400
   */
  toLine(message: SnapshotMessage, context: SnapshotContext): Buffer | null
  /** The address of a module whose `recordings` has `scan` and `toLine`, for other threads. */
  readonly module: string
  /** Reads the list of events that begins at `start`, for a message; null where it must be parsed instead. */
  scan(bytes: Buffer, start: number, depth: number): ScannedEvents | null
  /**
   * Stores lines, durably when it resolves; lines that are stored twice are there once.
   *
   * @param options `onlyFitting` leaves out lines that do not fit, without which all lines are rejected with them
   */
  store(lines: readonly (string | Buffer)[], options?: { readonly onlyFitting: boolean }): Promise<void>
  /** Unpacks what browsers packed in blocks of lines, before they are masked and stored. */
  unpack(threads: Pick<Threads, 'run'>, blocks: readonly Buffer[]): Promise<readonly Buffer[]>
  /** How lines are masked before they are stored; null where nothing of them is. */
  readonly rewrite: typeof rewriteSnapshots
  /** Recordings as a store whose past is masked. */
  readonly maskedStore: MaskedStore
  /** Removes the recordings of visitors who withdrew their consent. */
  readonly forget: Forget
  /** Recorded sessions, latest beginning first. */
  starts(query: SessionStartsQuery): Promise<readonly SessionStart[]>
  /** What the recordings of these sessions come to; without those that have none. */
  sessionSummaries(ids: readonly string[]): Promise<readonly RecordingSummary[]>
  /** Who sent the recordings of these sessions, by tab and id of the browser. */
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** A session's messages by window, then time, each once, as JSON of `StoredMessage`; read as they are taken. */
  messages(
    sessionId: string,
    options: WantedMessages & { readonly offsetMs: number; readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<string>
  /** What a session's messages are, without their events; null without a recording. */
  outline(sessionId: string): Promise<RecordingOutline | null>
  /** The first message with which a picture of the page begins, as JSON of `StoredMessage`; null where there is none. */
  picture(sessionId: string): Promise<string | null>
  /** What draws a page as it was at the latest of these moments that at most so many bytes draw; null where none do. */
  pagePicture(observations: readonly PageObservation[], maxBytes: number): Promise<PagePicture | null>
  /** A session's messages as lines of a file (`MessageLineHead`, then its events); read as they are taken. */
  fileLines(
    sessionId: string,
    options: { readonly offsetMs: number; readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<string>
  /** Which of these messages of a session are stored. */
  storedIds(sessionId: string, uuids: readonly string[]): Promise<ReadonlySet<string>>
  /** (arrival − sent) of the session's messages, in milliseconds, the smallest first; null without a recording. */
  offsets(sessionId: string): Promise<readonly number[] | null>
  /** Sessions of which something arrived since, and before `until` where that is given. */
  sessionIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** Ids of the people who did something in a recorded page since, and before `until` where that is given. */
  distinctIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** When the first recording since a moment arrived. */
  firstAt(since: Date): Promise<Date | null>
}

export interface ReplayDeps {
  readonly clickhouse: ClickHouse
  readonly settings: Pick<ReplaySettings, 'errorsPerSession' | 'outlinedMessages'>
}

/** The service of session recordings. */
export function createReplay({ clickhouse, settings }: ReplayDeps): Replay {
  const reaches = createReaches<SessionStart>(({ startedAt }) => startedAt)
  return {
    ...recordings,
    module: recordingsModule,
    rewrite: rewriteSnapshots,
    maskedStore: maskedSnapshots(clickhouse),
    store: (lines, options) => clickhouse.insertLines('snapshots', lines, options),
    async forget(distinctIds, before) {
      const [found] = await clickhouse.query(anyForgottenStatement(distinctIds, before))
      if (found !== undefined) await clickhouse.command(forgetStatement(distinctIds, before))
    },
    starts: (query) => findStarts(clickhouse, query, reaches.of(kindOfStarts(query), kindOfAllStarts(query))),
    async sessionSummaries(ids) {
      if (ids.length === 0) return []
      const rows = await clickhouse.query<SessionRow>(sessionsStatement(ids, settings.errorsPerSession))
      return rows.map(parseSession)
    },
    signs: async (sessionIds) => (await clickhouse.query<SignRow>(signsStatement(sessionIds))).map(toSign),
    messages: (sessionId, { offsetMs, signal, ...wanted }) =>
      clickhouse.streamTexts(messagesStatement(sessionId, offsetMs, wanted), { signal, goesFirst: true }),
    outline: (sessionId) => readOutline(clickhouse, sessionId, settings.outlinedMessages),
    async picture(sessionId) {
      for await (const text of clickhouse.streamTexts(pictureStatement(sessionId))) return text
      return null
    },
    pagePicture: (observations, maxBytes) => findPagePicture(clickhouse, observations, maxBytes),
    fileLines: (sessionId, { offsetMs, signal }) =>
      clickhouse.streamTexts(fileLinesStatement(sessionId, offsetMs), { signal }),
    async storedIds(sessionId, uuids) {
      const rows = await clickhouse.query<{ id: string }>(storedIdsStatement(sessionId, uuids))
      return new Set(rows.map(({ id }) => id))
    },
    async offsets(sessionId) {
      const [row] = await clickhouse.query<{ messages: string; offsets: readonly string[] }>(clockStatement(sessionId))
      return row === undefined || Number(row.messages) === 0 ? null : row.offsets.map(Number)
    },
    async sessionIdsSince(since, until) {
      const rows = await clickhouse.query<{ session_id: string }>(sessionsSinceStatement(since, until))
      return rows.map((row) => row.session_id)
    },
    async distinctIdsSince(since, until) {
      const rows = await clickhouse.query<{ distinct_id: string }>(activeSinceStatement(since, until))
      return rows.map((row) => row.distinct_id)
    },
    async firstAt(since) {
      const [row] = await clickhouse.query<{ at: string }>(firstStatement(since))
      return row === undefined ? null : new Date(Number(row.at))
    },
  }
}

async function findStarts(
  { query }: Pick<ClickHouse, 'query'>,
  wanted: SessionStartsQuery,
  reach: Reach<SessionStart>,
): Promise<readonly SessionStart[]> {
  const find = async (since: Date | null): Promise<readonly SessionStart[]> => {
    const rows = await query<StartRow>(startsStatement(wanted, since))
    return rows.map((row) => ({
      sessionId: row.session_id,
      startedAt: new Date(Number(row.started_at)),
      endedAt: new Date(Number(row.ended_at)),
      errors: Number(row.errors),
    }))
  }
  const { limit, from, only } = wanted
  if (typeof only === 'object') return find(null)
  return readBack({ limit, from, find, reach })
}

const textOrNull = (text: string): string | null => (text === '' ? null : text)

function parseSession(row: SessionRow): RecordingSummary {
  return {
    sessionId: row.session_id,
    distinctId: row.distinct_id,
    startedAt: new Date(Number(row.started_at)),
    endedAt: new Date(Number(row.ended_at)),
    lastActiveAt: new Date(Number(row.last_active_at)),
    activeMs: Number(row.active),
    pages: Number(row.pages),
    clicks: Number(row.clicks),
    consoleErrors: Number(row.console_errors),
    errorLines: row.error_lines.map(([windowId, atMs, text]) => ({ windowId, clientMs: Number(atMs), text })),
    firstUrl: textOrNull(row.first_url),
    browser: textOrNull(row.browser),
    os: textOrNull(row.os),
    device: textOrNull(row.device),
    signs: row.firsts.map(([who, fromMs], index) => {
      // We asked for it as three texts.
      const [window_id, distinct_id, user_agent] = JSON.parse(who) as [string, string, string]
      const last_ms = row.lasts[index]?.[1] ?? fromMs
      const { session_id, offset } = row
      return toSign({ session_id, window_id, distinct_id, user_agent, first_ms: fromMs, last_ms, offset_ms: offset })
    }),
  }
}

const toSign = (row: SignRow): SessionSign => ({
  sessionId: row.session_id,
  windowId: textOrNull(row.window_id),
  distinctId: row.distinct_id,
  userAgent: textOrNull(row.user_agent),
  from: new Date(Number(row.first_ms) + Number(row.offset_ms)),
  to: new Date(Number(row.last_ms) + Number(row.offset_ms)),
})
