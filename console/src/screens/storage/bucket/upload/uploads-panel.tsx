import { useVirtualizer } from '@tanstack/react-virtual'
import { Pause, Play, RotateCcw, X } from 'lucide-react'
import { type ReactNode, useRef, useSyncExternalStore } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { bytesText } from '../../../../ui/bytes.tsx'
import { classes } from '../../../../ui/classes.ts'
import type { Upload } from './upload.ts'
import type { Uploads } from './uploads.ts'

const linePx = 32

/** The files that are on their way, each with its progress, and all of them; nothing while there are none. */
export function UploadsPanel({ uploads }: { readonly uploads: Uploads }) {
  const list = useSyncExternalStore(uploads.subscribe, uploads.list)
  if (list.length === 0) return null
  return (
    <section aria-label="Uploads" className="flex max-h-56 shrink-0 flex-col border-line border-t bg-surface">
      <Head list={list} uploads={uploads} />
      <Lines list={list} uploads={uploads} />
    </section>
  )
}

interface ListProps {
  readonly list: readonly Upload[]
  readonly uploads: Uploads
}

function Head({ list, uploads }: ListProps) {
  const idsOf = (...states: readonly Upload['state'][]) =>
    list.flatMap(({ id, state }) => (states.includes(state) ? [id] : []))
  const moving = idsOf('waiting', 'sending')
  const paused = idsOf('paused')
  const failed = idsOf('failed')
  const taken = idsOf('taken')
  const left = moving.length + paused.length
  // What was canceled, or has its place taken, is no part of the way.
  const counted = list.filter(({ state }) => state !== 'canceled' && state !== 'taken')
  const total = counted.reduce((sum, { file }) => sum + file.size, 0)
  const sent = counted.reduce((sum, { sentBytes }) => sum + sentBytes, 0)
  return (
    <header className="relative flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
      <h2 className="font-medium" role="status">
        {left > 0
          ? `Uploading: ${left} left`
          : `${list.length} ${list.length === 1 ? 'upload has' : 'uploads have'} ended`}
      </h2>
      <span className="tabular min-w-0 flex-1 truncate text-ink-2">
        {left > 0 && `${bytesText(sent)} of ${bytesText(total)}`}
        {failed.length > 0 && <span className="text-danger"> {failed.length} failed</span>}
      </span>
      {taken.length > 0 && (
        <Button size="small" onClick={() => uploads.replace(taken)}>
          Replace {taken.length}
        </Button>
      )}
      {failed.length > 0 && (
        <Button size="small" onClick={() => uploads.retry(failed)}>
          Send {failed.length} again
        </Button>
      )}
      {moving.length > 0 && (
        <Button size="small" onClick={() => uploads.pause(moving)}>
          Pause
        </Button>
      )}
      {paused.length > 0 && (
        <Button size="small" onClick={() => uploads.resume(paused)}>
          Resume
        </Button>
      )}
      {left > 0 ? (
        <Button size="small" onClick={() => uploads.cancel([...moving, ...paused])}>
          Cancel
        </Button>
      ) : (
        <Button size="small" onClick={() => uploads.clear()}>
          Clear
        </Button>
      )}
      {left > 0 && (
        <Bar label="Progress of all uploads" value={sent} max={total} className="absolute inset-x-0 -bottom-px h-0.5" />
      )}
    </header>
  )
}

/** Only the lines in sight are drawn. */
function Lines({ list, uploads }: ListProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => box.current,
    estimateSize: () => linePx,
    overscan: 8,
    initialRect: { width: 1000, height: 190 },
  })
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="min-h-0 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const upload = list[index]
          return upload && <Line key={upload.id} upload={upload} uploads={uploads} top={start} />
        })}
      </ul>
    </div>
  )
}

const stateTexts: Readonly<Record<Upload['state'], string>> = {
  waiting: 'waits',
  sending: '',
  paused: 'paused',
  stored: 'stored',
  taken: 'another object has this key',
  failed: 'failed',
  canceled: 'canceled',
}

function Line({ upload, uploads, top }: { upload: Upload; uploads: Uploads; top: number }) {
  const { key, file, sentBytes, state, problem } = upload
  const said = problem ?? stateTexts[state]
  return (
    <li className="absolute inset-x-0 flex h-8 items-center gap-3 px-4" style={{ top }}>
      <span className="min-w-0 flex-1 truncate" title={key}>
        {key}
      </span>
      {said !== '' && (
        <span
          title={said}
          className={classes(
            'max-w-1/2 truncate',
            state === 'failed' ? 'text-danger' : problem ? 'text-warn' : 'text-ink-2',
          )}
        >
          {said}
        </span>
      )}
      {(state === 'sending' || state === 'paused') && (
        <Bar label={`Progress of ${key}`} value={sentBytes} max={file.size} className="h-1 w-28 max-narrow:w-12" />
      )}
      <span className="tabular w-16 text-right text-ink-2 max-narrow:hidden">{bytesText(file.size)}</span>
      <span className="flex w-15 justify-end">
        <LineActions upload={upload} uploads={uploads} />
      </span>
    </li>
  )
}

function LineActions({ upload: { id, key, state }, uploads }: { upload: Upload; uploads: Uploads }) {
  const icon = 'size-3.5'
  const isMoving = state === 'waiting' || state === 'sending'
  return (
    <>
      {isMoving && (
        <Act label={`Pause ${key}`} onClick={() => uploads.pause([id])}>
          <Pause aria-hidden="true" className={icon} />
        </Act>
      )}
      {state === 'paused' && (
        <Act label={`Resume ${key}`} onClick={() => uploads.resume([id])}>
          <Play aria-hidden="true" className={icon} />
        </Act>
      )}
      {(state === 'failed' || state === 'canceled') && (
        <Act label={`Send ${key} again`} onClick={() => uploads.retry([id])}>
          <RotateCcw aria-hidden="true" className={icon} />
        </Act>
      )}
      {state === 'taken' && (
        <Button size="small" aria-label={`Replace ${key}`} onClick={() => uploads.replace([id])}>
          Replace
        </Button>
      )}
      {(isMoving || state === 'paused') && (
        <Act label={`Cancel ${key}`} onClick={() => uploads.cancel([id])}>
          <X aria-hidden="true" className={icon} />
        </Act>
      )}
    </>
  )
}

interface ActProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function Act({ label, onClick, children }: ActProps) {
  return (
    <Button look="bare" size="icon" aria-label={label} title={label} onClick={onClick}>
      {children}
    </Button>
  )
}

interface BarProps {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly className: string
}

/** An empty file is all there from its beginning. */
function Bar({ label, value, max, className }: BarProps) {
  const part = max === 0 ? 1 : Math.min(1, value / max)
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.floor(part * 100)}
      className={classes('block overflow-hidden bg-line', className)}
    >
      <span className="block h-full bg-ink-2" style={{ width: `${part * 100}%` }} />
    </span>
  )
}
