import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { ArrowDownToLine } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Moment } from '../../../lib/api/schemas.ts'
import type { Playback } from '../../../player/playback.ts'
import { Chip } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Filter } from '../../../ui/field.tsx'
import { type Picked, useCurrent } from '../moments/current.ts'
import { type ChipName, chips, chipsOf } from '../moments/moments.ts'
import { MomentItem } from './moment-item.tsx'
import type { OpenCallbacks } from './request-lines.tsx'

interface ThreadListProps extends OpenCallbacks {
  /** Those that fit the filter. */
  readonly moments: readonly Moment[]
  /** How many there are without the filter. */
  readonly total: number
  /** Whether one of the team's own servers told something of it. */
  readonly hasServers: boolean
  readonly truncated: boolean
  readonly playback: Playback
  readonly picked: Picked | undefined
  readonly filter: string
  readonly on: readonly ChipName[]
  readonly onFilter: (filter: string) => void
  readonly onChips: (on: readonly ChipName[]) => void
  readonly onSelect: (moment: Moment) => void
}

/** Roughly what a moment will measure, so that the scrollbar hardly moves as they are drawn. */
function estimate(moment: Moment | undefined): number {
  const lines = moment?.requests.reduce((sum, request) => {
    if (request.service === 'auth') return sum + 2
    const changed = request.changes.length
    return sum + 1 + Math.min(changed, 6) + (changed > 0 || request.status >= 400 ? request.statements.length : 0)
  }, 0)
  return 28 + (lines ?? 0) * 20
}

/** The session as text: every moment with what it caused. It follows the playhead until it is scrolled by hand. */
export function ThreadList(props: ThreadListProps) {
  const { moments, total, hasServers, filter, on, onFilter, onChips } = props
  const [follows, setFollows] = useState(true)
  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-1.5 border-line border-b px-4">
        <Filter label="Filter this session" placeholder="Filter" value={filter} onChange={onFilter} />
        {chipsOf(hasServers).map((chip) => (
          <Chip
            key={chip}
            on={on.includes(chip)}
            onToggle={(chosen) => onChips(chips.filter((one) => (one === chip ? chosen : on.includes(one))))}
          >
            {chip}
          </Chip>
        ))}
      </div>
      <div className="relative flex min-h-0 flex-1 flex-col">
        {moments.length === 0 ? (
          <p className="p-4 text-ink-2">
            {total === 0
              ? 'Nothing has happened in this session yet. Pages, clicks and requests appear here as they arrive.'
              : 'No moments match this filter.'}
          </p>
        ) : (
          <MomentList {...props} follows={follows} onScrolled={() => setFollows(false)} />
        )}
        {!follows && moments.length > 0 && (
          <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
            <Button className="pointer-events-auto shadow-float" onClick={() => setFollows(true)}>
              <ArrowDownToLine aria-hidden="true" className="size-3.5" />
              Follow the playhead
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

interface MomentListProps extends ThreadListProps {
  readonly follows: boolean
  /** The list was scrolled by hand. */
  readonly onScrolled: () => void
}

function MomentList({
  moments,
  total,
  truncated,
  playback,
  picked,
  on,
  follows,
  onScrolled,
  ...open
}: MomentListProps) {
  const box = useRef<HTMLDivElement>(null)
  const current = useCurrent(playback, moments, picked)
  const virtual = useVirtualizer({
    count: moments.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => estimate(moments[index]),
    getItemKey: (index) => moments[index]?.id ?? index,
    overscan: 8,
    paddingStart: 8,
    paddingEnd: 56,
    initialRect: { width: 432, height: 640 },
  })
  useEffect(() => {
    if (follows && current >= 0) scrollToMoment(virtual, current)
  }, [follows, current, virtual])
  return (
    <div
      ref={box}
      onWheel={onScrolled}
      onTouchMove={onScrolled}
      onPointerDown={(event) => {
        // The scrollbar belongs to the box itself.
        if (event.target === event.currentTarget) onScrolled()
      }}
      className="relative min-h-0 flex-1 overflow-y-auto"
    >
      <span
        aria-hidden="true"
        className="absolute top-0 left-[calc(var(--time)+22px)] border-line border-l"
        style={{ height: `max(100%, ${virtual.getTotalSize()}px)` }}
      />
      <ol aria-label="Thread" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const moment = moments[index]
          if (!moment) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={moments.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <MomentItem
                moment={moment}
                isCurrent={index === current}
                rows={on.includes('rows')}
                api={on.includes('api')}
                onSelect={open.onSelect}
                onRequest={open.onRequest}
                onRow={open.onRow}
              />
            </li>
          )
        })}
      </ol>
      {truncated && (
        <p className="border-line border-t p-4 text-ink-2">
          Only the first {total.toLocaleString('en-GB')} moments of this session are shown.
        </p>
      )}
    </div>
  )
}

function scrollToMoment(list: Virtualizer<HTMLDivElement, Element>, index: number): void {
  const sizePx = list.measurementsCache[index]?.size ?? 0
  // Of a moment that does not fit, the beginning is what must be seen.
  const isTall = sizePx > (list.scrollElement?.clientHeight ?? 0) / 2
  list.scrollToIndex(index, { align: isTall ? 'start' : 'center' })
}
