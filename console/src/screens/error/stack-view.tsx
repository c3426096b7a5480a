import { useState } from 'react'
import type { ExceptionDetail, StackFrame } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'

type Exception = ExceptionDetail['chain'][number]

/**
 * The exceptions of a chain with their stacks, the innermost call first.
 *
 * @param props.noStack what is said of one that has none
 */
export function StackView({ chain, noStack }: { readonly chain: readonly Exception[]; readonly noStack: string }) {
  return (
    <section aria-label="Stack" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {chain.map((exception, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an exception is its place in the chain
        <Chained key={index} exception={exception} isCause={index > 0} noStack={noStack} />
      ))}
    </section>
  )
}

interface ChainedProps {
  readonly exception: Exception
  readonly isCause: boolean
  readonly noStack: string
}

function Chained({ exception, isCause, noStack }: ChainedProps) {
  const { type, message, frames } = exception
  const hasForeign = frames.some(({ inApp }) => !inApp)
  const [showsAll, setShowsAll] = useState(frames.every(({ inApp }) => !inApp))
  const shown = frames.filter(({ inApp }) => inApp || showsAll)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <h2 className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap text-base">
          {isCause && <span className="text-ink-2">caused by </span>}
          <b className="font-semibold">{type}</b>
          {message !== '' && <span>: {message}</span>}
        </h2>
        {hasForeign && (
          <Button size="small" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Own code only' : `All ${frames.length} calls`}
          </Button>
        )}
      </div>
      {frames.length === 0 ? (
        <p className="text-ink-2">{noStack}</p>
      ) : (
        <ol className="border-line border-t">
          {shown.map((frame, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its place on the stack
            <FrameLine key={index} frame={frame} isFirst={index === 0} />
          ))}
        </ol>
      )}
    </div>
  )
}

function FrameLine({ frame, isFirst }: { readonly frame: StackFrame; readonly isFirst: boolean }) {
  const { file, line, column, inApp, context, built } = frame
  const place = `${file ?? 'unknown'}${line === null ? '' : `:${line}`}${column === null ? '' : `:${column}`}`
  const head = (
    <>
      <span className={classes('mono', inApp ? 'text-ink' : 'text-ink-2')}>{frame.function ?? 'anonymous'}</span>
      <span
        className="mono min-w-0 truncate text-ink-2 text-sm"
        title={built ? `${built.file}:${built.line}:${built.column}` : place}
      >
        {place}
      </span>
    </>
  )
  const row = 'flex min-h-8 min-w-0 items-baseline gap-2.5 py-1.5'
  return (
    <li className="border-line border-b">
      {context ? (
        <details open={inApp && isFirst}>
          <summary className={classes(row, 'cursor-pointer')}>{head}</summary>
          <SourceLines context={context} line={line ?? 1} />
        </details>
      ) : (
        <div className={row}>{head}</div>
      )}
    </li>
  )
}

function SourceLines({
  context,
  line,
}: {
  readonly context: NonNullable<StackFrame['context']>
  readonly line: number
}) {
  const first = line - context.before.length
  const lines = [...context.before, context.line, ...context.after]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <pre tabIndex={0} className="mono mb-2 overflow-x-auto rounded-control bg-sunken py-1.5 text-sm">
      {lines.map((text, index) => {
        const number = first + index
        return (
          <span
            key={number}
            className={classes('block w-max min-w-full pr-3', number === line && 'bg-thread-wash font-medium')}
          >
            <span aria-hidden="true" className="tabular inline-block w-12 pr-3 text-right text-ink-2">
              {number}
            </span>
            {text}
          </span>
        )
      })}
    </pre>
  )
}
