import { Link } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import type { Change, FunctionLogLine, RequestMoment, Send, Statement } from '../../../lib/api/schemas.ts'
import { objectOfRequest, readableQuery } from '../../../lib/request-text.ts'
import { operationSigns } from '../../../thread/change-lines.tsx'
import { SendLink, sendName } from '../../../thread/send-list.tsx'
import { statusTone, toneText } from '../../../ui/badge.tsx'
import { Bytes } from '../../../ui/bytes.tsx'
import { classes } from '../../../ui/classes.ts'
import { formatDuration } from '../../../ui/time-text.ts'
import { describeChange, shortRowName, shortSql } from '../moments/moments.ts'
import { authSummary, changedByTrigger } from '../moments/request-words.ts'
import { ReachedLine } from './frame-lines.tsx'
import { Leads } from './leads.ts'

/** Called with the request or the row that a line opens. */
export interface OpenCallbacks {
  readonly onRequest: (request: RequestMoment) => void
  readonly onRow: (change: Change) => void
}

interface RequestLinesProps extends OpenCallbacks {
  readonly request: RequestMoment
  /** Requests of the same moment, among which those are that a function made for this one. */
  readonly among: readonly RequestMoment[]
  /** Everything it did, not only what it changed. */
  readonly whole: boolean
  readonly rows: boolean
}

const mostChanges = 6
const mostLines = 20
const mostReached = 3

/** A request in the thread: its line, the statements under it, the rows they changed. */
export function RequestLines({ request, among, whole, rows, onRequest, onRow }: RequestLinesProps) {
  const { statements, changes, sends, logs, reached, status, errorCode } = request
  const caused = among.filter(({ causeId }) => causeId === request.id)
  // How a process came and went says nothing of the request.
  const lines = logs.filter(({ kind, level }) => (whole || level === 'error') && kind !== 'boot' && kind !== 'shutdown')
  // A read that went well says all in its own line.
  const showsStatements = whole || changes.length > 0 || sends.length > 0 || status >= 400
  const shown = rows ? changes.slice(0, mostChanges) : []
  const auth = authSummary(request)
  const byTrigger = changedByTrigger(request)
  const statementLines = statements.map((statement, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: SQL can repeat within a millisecond, so it is no key; the order never changes
    <StatementLine key={index} statement={statement} />
  ))
  const changeLines = shown.map((change) => (
    <ChangeLine key={change.id} change={change} byTrigger={byTrigger.has(change.id)} onOpen={() => onRow(change)} />
  ))
  return (
    <div className="mono grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
      <div className="flex min-w-0 items-baseline gap-2">
        <RequestLine request={request} whole={whole} onOpen={() => onRequest(request)} />
        {use(Leads) && asksWhy(request) && (
          <Link to="/requests/why" search={{ request: request.id }} className="quiet-link shrink-0">
            Why?
          </Link>
        )}
      </div>
      {(showsStatements || shown.length > 0 || caused.length > 0 || lines.length > 0 || reached.length > 0) && (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 pl-3.5">
          {errorCode && <p className="truncate text-danger">{errorCode}</p>}
          {auth !== undefined ? (
            <AuthFold summary={auth}>
              {statementLines}
              {changeLines}
            </AuthFold>
          ) : (
            showsStatements && statementLines
          )}
          {lines.slice(0, mostLines).map((line) => (
            <LogLine key={line.id} line={line} />
          ))}
          {caused.map((each) => (
            <RequestLines key={each.id} {...{ request: each, among, whole, rows, onRequest, onRow }} />
          ))}
          {auth === undefined && changeLines}
          {reached.slice(0, whole ? mostLines : mostReached).map((one) => (
            <ReachedLine key={`${one.sessionId} ${one.atMs} ${one.event}`} reached={one} />
          ))}
          {sends.map((send) => (
            <SendLine key={`${send.kind} ${send.id}`} send={send} />
          ))}
          {rows && auth === undefined && changes.length > shown.length && (
            <MoreRows count={changes.length - shown.length} onOpen={() => onRequest(request)} />
          )}
        </div>
      )}
    </div>
  )
}

/** What auth does within itself is one line: of interest is that it was done. */
function AuthFold({ summary, children }: { readonly summary: string; readonly children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer text-ink-2 marker:text-ink-3 hover:text-ink">{summary}</summary>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 pl-3.5">{children}</div>
    </details>
  )
}

/** An empty answer and a refusal are what people ask about. */
const asksWhy = ({ service, method, status, rows }: RequestMoment): boolean =>
  service === 'rest' && (status === 401 || status === 403 || isEmptyAnswer({ method, status, rows }))

/** A read that found nothing, or a change that met no row. */
const isEmptyAnswer = ({ method, status, rows }: Pick<RequestMoment, 'method' | 'status' | 'rows'>): boolean =>
  rows === 0 && status >= 200 && status < 300 && (method === 'GET' || method === 'PATCH' || method === 'DELETE')

function MoreRows({ count, onOpen }: { readonly count: number; readonly onOpen: () => void }) {
  const text = `and ${count} more rows`
  if (!use(Leads)) return <p className="text-ink-2">{text}</p>
  return (
    <button type="button" onClick={onOpen} className="justify-self-start text-ink-2 hover:text-ink hover:underline">
      {text}
    </button>
  )
}

interface RequestLineProps {
  readonly request: RequestMoment
  readonly whole: boolean
  readonly onOpen: () => void
}

function RequestLine({ request, whole, onOpen }: RequestLineProps) {
  const { method, path, query } = request
  const title = `${method} ${path}${readableQuery(query)}`
  const look = classes(
    'grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)_auto_auto_auto] items-baseline gap-2 text-left',
    whole ? 'text-ink' : 'text-ink-2',
  )
  const words = <RequestWords request={request} whole={whole} />
  if (!use(Leads))
    return (
      <div title={title} className={look}>
        {words}
      </div>
    )
  return (
    <button
      type="button"
      onClick={onOpen}
      title={title}
      className={classes(look, 'rounded-small hover:underline hover:decoration-line hover:underline-offset-3')}
    >
      {words}
    </button>
  )
}

/** What was asked for, by which doubts it is here, and how it ended. */
function RequestWords({ request, whole }: Pick<RequestLineProps, 'request' | 'whole'>) {
  const { method, path, query, status, durationMs, link, place } = request
  const doubts = [link.foreign ? null : link.why, place.why].filter((why) => why !== null)
  const object = objectOfRequest(path)
  const isEmpty = isEmptyAnswer(request) && object === null
  return (
    <>
      <b className={classes('font-medium', !whole && 'text-ink')}>{method}</b>
      <span className="truncate">
        {object ?? `${path}${readableQuery(query)}`}
        {place.repeatsMs !== null && (
          <span className="ml-1.5 text-ink-2">repeats every {formatDuration(place.repeatsMs)}</span>
        )}
        {link.foreign && (
          <span title={link.why ?? undefined} className="ml-1.5 text-danger">
            another session’s id
          </span>
        )}
        {doubts.length > 0 && (
          <span
            role="img"
            aria-label={`probable: ${doubts.join(' ')}`}
            title={`Probable: ${doubts.join(' ')}`}
            className="ml-1 text-warn"
          >
            ≈
          </span>
        )}
      </span>
      <span className="tabular whitespace-nowrap text-right text-ink-2">
        {object !== null && <ObjectBytes request={request} />}
      </span>
      <span className={classes('tabular whitespace-nowrap', isEmpty ? 'text-ink-2' : toneText[statusTone(status)])}>
        {isEmpty ? '0 rows' : status === 0 ? 'cut off' : status}
      </span>
      <span className="tabular whitespace-nowrap text-right">{formatDuration(durationMs)}</span>
    </>
  )
}

/** What an upload sent, or a download answered. */
function ObjectBytes({ request: { method, requestBytes, responseBytes } }: { readonly request: RequestMoment }) {
  const isRead = method === 'GET' || method === 'HEAD'
  return <Bytes value={isRead ? responseBytes : requestBytes} />
}

function StatementLine({ statement }: { readonly statement: Statement }) {
  const { text, rows, durationMs, errorCode } = statement
  return (
    <p className="flex min-w-0 justify-between gap-2 text-ink-2" title={text}>
      <span className="truncate">{shortSql(text)}</span>
      <span className={classes('tabular whitespace-nowrap', errorCode ? 'text-danger' : 'text-ink-2')}>
        {errorCode ?? (rows === null ? '' : rows === 1 ? '1 row' : `${rows} rows`)} {formatDuration(durationMs)}
      </span>
    </p>
  )
}

function LogLine({ line: { kind, level, text } }: { readonly line: FunctionLogLine }) {
  const tone = level === 'error' ? 'text-danger' : level === 'warning' ? 'text-warn' : 'text-ink-2'
  return (
    <p className="flex min-w-0 items-baseline gap-1.5" title={text}>
      <span className="shrink-0 text-ink-2">{kind === 'fetch' ? '→' : 'log'}</span>
      <span className={classes('truncate', tone)}>{text}</span>
    </p>
  )
}

function SendLine({ send }: { readonly send: Send }) {
  const { method, url, state, status, error } = send
  const tone = state === 'failed' ? 'text-danger' : status === null ? 'text-ink-2' : toneText[statusTone(status)]
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <span aria-hidden="true" className="text-ink-2">
        →
      </span>
      {use(Leads) ? (
        <span className="quiet-link shrink-0 truncate">
          <SendLink send={send} />
        </span>
      ) : (
        <span className="shrink-0 truncate">{sendName(send)}</span>
      )}
      <span className="min-w-0 flex-1 truncate text-ink-2" title={`${method} ${url}`}>
        {url}
      </span>
      <span className={classes('tabular whitespace-nowrap', tone)} title={error ?? undefined}>
        {status ?? state}
      </span>
    </div>
  )
}

interface ChangeLineProps {
  readonly change: Change
  readonly byTrigger: boolean
  readonly onOpen: () => void
}

function ChangeLine({ change, byTrigger, onOpen }: ChangeLineProps) {
  const { sign, word, tone } = operationSigns[change.operation]
  const values = describeChange(change)
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <span aria-hidden="true" className={tone}>
        {sign}
      </span>
      {use(Leads) ? (
        <button type="button" onClick={onOpen} className="quiet-link max-w-3/4 shrink-0 truncate">
          {shortRowName(change)}
        </button>
      ) : (
        <span className="max-w-3/4 shrink-0 truncate">{shortRowName(change)}</span>
      )}
      <span className="min-w-0 flex-1 truncate text-ink-2" title={values}>
        {values}
      </span>
      <span
        className="whitespace-nowrap text-ink-2"
        title={
          byTrigger
            ? 'The request’s SQL does not name this table: a trigger or a foreign key changed the row'
            : undefined
        }
      >
        {byTrigger ? 'by trigger' : word}
      </span>
    </div>
  )
}
