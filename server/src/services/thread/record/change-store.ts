import { type ClickHouse, classifyClickHouseError } from '../../../engines/clickhouse/index.ts'
import { isolatePoisonRows, type RefusedRows, rewriteRows, type SpoolSink } from '../../../engines/spool/index.ts'
import type { ChangeTransaction, RelationVersion, RowChange } from '../../../ground/model/change.ts'
import { type Masks, noMasks } from '../../../ground/privacy/masks.ts'
import { rewriteChanges } from '../masking/lines.ts'
import type { ThreadSettings } from '../settings.ts'
import { changeColumns, createRenderChanges, relationColumns, renderRelations } from './change-lines.ts'
import { Lines } from './lines.ts'
import { createColumnGuard } from './redact.ts'

export interface ChangeStoreDeps {
  readonly clickhouse: Pick<ClickHouse, 'insertLines'>
  readonly settings: ThreadSettings
  /** Takes the rows that ClickHouse rejects for what they are. */
  readonly refused: RefusedRows
  /** Columns whose values are stored masked; none where not given. */
  readonly masks?: Masks
  /** Called when row changes were stored. */
  readonly stored?: () => void
  readonly log: (line: string) => void
}

/** Keeps row changes, wherever the change stream is read: it holds nothing of the rest of the thread. */
export interface ChangeStore {
  /**
   * Keeps a transaction's row changes, or a part of them; resolves when they are stored. A second delivery changes
   * nothing. Many may be given at once: they are stored together.
   */
  rowsChanged(transaction: ChangeTransaction): Promise<void>
  /** Stores what is held. */
  flush(): Promise<void>
  /** Stores what is held, with one attempt, and takes no more. */
  close(): Promise<void>
}

/** Rows that are stored together. */
interface Block {
  readonly lines: Lines
  /** Names of tables that were not stored before: they must stand before the changes that are looked up by them. */
  readonly relations: string[]
  rows: number
  readonly stored: Promise<void>
  readonly settle: (error: unknown) => void
}

const lingerMs = 100
// An insert costs ClickHouse some 13 ms and a row 10 µs: many small ones are worth waiting for.
const loadLingerMs = 1500
const loadRows = 100
/** A block of so many rows, or bytes, waits for no more. */
const fullRows = 20_000
const fullBytes = 8 * 1024 * 1024
const firstPauseMs = 250
const longestPauseMs = 10_000
const nothingToStore = Promise.resolve()

const isFull = ({ rows, lines }: Block): boolean => rows >= fullRows || lines.bytes >= fullBytes

function begin(): Block {
  let settle: Block['settle'] = () => undefined
  const stored = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === null ? resolve() : reject(error))
  })
  // Rejected at close, it is delivered again after the next start; its caller may have ended by then.
  stored.catch(() => undefined)
  return { lines: new Lines(), relations: [], rows: 0, stored, settle }
}

/** Makes what stores a block, tried until it succeeds; returns the error where `closing` was aborted before. */
function createInsertBlock(
  { clickhouse, refused, masks = noMasks, log }: ChangeStoreDeps,
  closing: AbortSignal,
): (block: Block) => Promise<unknown> {
  const intoTable = (target: string, columns: readonly string[]): SpoolSink =>
    isolatePoisonRows({
      target,
      store: (lines) => clickhouse.insertLines(target, lines, { columns }),
      storeFitting: (lines) => clickhouse.insertLines(target, lines, { columns, onlyFitting: true }),
      classify: classifyClickHouseError,
      refused,
    })
  const changeSink = rewriteRows(intoTable('changes', changeColumns), async () =>
    rewriteChanges(await masks.current(), changeColumns),
  )
  const relationSink = intoTable('relations', relationColumns)

  return async ({ lines, relations, rows }) => {
    let pauseMs = firstPauseMs
    for (let attempt = 1; ; attempt += 1) {
      try {
        const sending = { again: attempt > 1, attempt, signal: closing }
        if (relations.length > 0)
          await relationSink(
            relations.map((line) => Buffer.from(line)),
            sending,
          )
        await changeSink(lines.pieces, sending)
        return null
      } catch (error) {
        if (closing.aborted) return error ?? new Error('The changes could not be stored.')
        log(`thread: ${rows} row changes could not be stored yet (${error instanceof Error ? error.message : error})`)
        await pause(pauseMs, closing)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }
}

/** The table may come later: changes that cannot be stored yet are tried again. */
export function createChangeStore(deps: ChangeStoreDeps): ChangeStore {
  const { settings, stored = () => undefined } = deps
  const renderChanges = createRenderChanges(createColumnGuard(settings.secretColumns, settings.maxValueBytes))
  const closing = new AbortController()
  const insert = createInsertBlock(deps, closing.signal)
  /** Takes what is committed now. */
  let open: Block | null = null
  let storing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let loadedUntil = 0
  let isDraining = false
  const knownRelations = new WeakSet<RelationVersion>()

  function schedule(): void {
    if (open === null || storing !== null) return
    if (isFull(open) || isDraining || closing.signal.aborted) storeOpen()
    else timer ??= setTimeout(storeOpen, performance.now() < loadedUntil ? loadLingerMs : lingerMs).unref()
  }

  function storeOpen(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const block = open
    if (block === null) return
    open = null
    storing = store(block).finally(() => {
      storing = null
      schedule()
    })
  }

  async function store(block: Block): Promise<void> {
    const error = await insert(block)
    if (block.rows >= loadRows) loadedUntil = performance.now() + loadLingerMs
    block.settle(error)
    if (error === null) stored()
  }

  async function drain(): Promise<void> {
    isDraining = true
    try {
      while (open !== null || storing !== null) {
        schedule()
        await storing
      }
    } finally {
      isDraining = false
    }
  }

  return {
    rowsChanged(given) {
      if (closing.signal.aborted) return Promise.reject(new Error('The store of changes is closed.'))
      const transaction = withoutMessages(given)
      const lines = renderChanges(transaction)
      if (lines.length === 0) return nothingToStore
      open ??= begin()
      for (const line of lines) open.lines.append(line)
      open.rows += lines.length
      for (const line of renderRelations(transaction, knownRelations)) open.relations.push(line)
      const { stored } = open
      schedule()
      return stored
    },
    flush: drain,
    async close() {
      closing.abort()
      await drain()
    },
  }
}

/** Messages of realtime are in the stream for their delivery: they are no rows of the application. */
function withoutMessages(transaction: ChangeTransaction): ChangeTransaction {
  const isMessage = ({ schema }: RowChange): boolean => schema === 'realtime'
  if (!transaction.changes.some(isMessage)) return transaction
  return { ...transaction, changes: transaction.changes.filter((change) => !isMessage(change)) }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const wake = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', wake, { once: true })
  })
